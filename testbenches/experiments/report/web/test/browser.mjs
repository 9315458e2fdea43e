// SPDX-License-Identifier: Apache-2.0
// A Chromium without a window, asked over its debugging pipe (Chrome DevTools Protocol: JSON, a zero byte after each
// message). Some fifty lines spare the eighty packages that a client library brings.
import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

export class Browser {
  static async start(program) {
    const browser = new Browser(program);
    const {targetId} = await browser.send('Target.createTarget', {url: 'about:blank'});
    ({sessionId: browser.session} = await browser.send('Target.attachToTarget', {targetId, flatten: true}));
    for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await browser.send(`${domain}.enable`);
    return browser;
  }

  constructor(program) {
    this.profile = mkdtempSync(join(tmpdir(), 'toriscope-browser-'));
    const options = ['--headless', '--disable-gpu', '--no-first-run', '--disable-extensions', '--remote-debugging-pipe',
                     `--user-data-dir=${this.profile}`, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
    this.child = spawn(program, options, {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
    this.child.on('exit', status => this.waiting.forEach(({reject}) => reject(new Error(`Chromium ended: ${status}`))));
    this.waiting = new Map();
    this.events = [];
    this.last = 0;
    let text = '';
    this.child.stdio[4].setEncoding('utf8').on('data', chunk => {
      const messages = (text + chunk).split('\0');
      text = messages.pop();
      messages.forEach(message => this.received(JSON.parse(message)));
    });
  }

  received(message) {
    if (!message.id) return this.events.push(message);
    const {resolve, reject} = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.error) reject(new Error(message.error.message));
    else resolve(message.result);
  }

  send(method, params = {}) {
    const id = ++this.last;
    this.child.stdio[3].write(`${JSON.stringify({id, method, params, sessionId: this.session})}\0`);
    return new Promise((resolve, reject) => this.waiting.set(id, {resolve, reject}));
  }

  /** Events of that name since the page was opened. */
  seen(name) {
    return this.events.filter(event => event.method === name).map(event => event.params);
  }

  /** Opens a page, and waits until its load event. */
  async open(url) {
    this.events = [];
    await this.send('Page.navigate', {url});
    while (!this.seen('Page.loadEventFired').length) await new Promise(done => setTimeout(done, 10));
  }

  /** The value of an expression in the page. */
  async value(expression) {
    const {result, exceptionDetails} = await this.send('Runtime.evaluate', {expression, returnByValue: true, awaitPromise: true});
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  mouse(x, y) {
    return this.send('Input.dispatchMouseEvent', {type: 'mouseMoved', x, y});
  }

  async key(key) {
    await this.send('Input.dispatchKeyEvent', {type: 'keyDown', key});
    await this.send('Input.dispatchKeyEvent', {type: 'keyUp', key});
  }

  async close() {
    const ended = new Promise(done => this.child.once('close', done));
    this.send('Browser.close').catch(() => {}); // it may end before it answers
    await ended;
    rmSync(this.profile, {recursive: true, force: true, maxRetries: 5});
  }
}
