// SPDX-License-Identifier: Apache-2.0
// The parts of the charting library that the report uses.
import * as core from 'echarts/core';
import {BarChart, CustomChart, LineChart, ScatterChart} from 'echarts/charts';
import {AriaComponent, GridComponent, LegendComponent, TitleComponent, TooltipComponent, VisualMapComponent} from 'echarts/components';
import {CanvasRenderer, SVGRenderer} from 'echarts/renderers';

core.use([BarChart, CustomChart, LineChart, ScatterChart, AriaComponent, GridComponent, LegendComponent, TitleComponent,
          TooltipComponent, VisualMapComponent, CanvasRenderer, SVGRenderer]);
export {core as echarts};
