// SPDX-License-Identifier: Apache-2.0
// node build.mjs NODE_MODULES OUT.html: bundles src/ and its charting library into one page with a place for the
// data. NODE_MODULES is the directory that npm installed into (install.sh), away from the sources.
import {createRequire} from 'node:module';
import {readFileSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const modules = resolve(process.argv[2]);
const {build} = createRequire(join(modules, 'x'))('esbuild');
const here = dirname(fileURLToPath(import.meta.url));

async function bundle(entry) {
  const result = await build({
    entryPoints: [join(here, 'src', entry)],
    bundle: true,
    minify: true,
    write: false,
    legalComments: 'eof',
    target: ['chrome100', 'firefox100', 'safari15'],
    format: 'iife',
    loader: {'.css': 'css'},
    nodePaths: [modules],
    define: {'process.env.NODE_ENV': '"production"'},
    logLevel: 'warning',
  });
  return result.outputFiles[0].text;
}

const parts = {STYLE: await bundle('style.css'), SCRIPT: await bundle('main.js')};
if (parts.SCRIPT.includes('</script') || parts.STYLE.includes('</style'))
  throw new Error('the bundle would end its own element');
const page = readFileSync(join(here, 'page.html'), 'utf8').replace(/@@(STYLE|SCRIPT)@@/g, (_, name) => parts[name]);
writeFileSync(process.argv[3], page);
