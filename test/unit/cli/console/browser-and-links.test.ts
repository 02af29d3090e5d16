import { PassThrough } from 'node:stream';
import { expect, it } from '@jest/globals';
import { onEnter } from '../../../../cli/console/offer-links.ts';
import { browserCommand } from '../../../../cli/console/open-browser.ts';

it.each([
  ['linux', { DISPLAY: ':0' }, 'xdg-open'],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, 'xdg-open'],
  ['linux', { DISPLAY: '' }, undefined],
  ['linux', {}, undefined],
  ['darwin', {}, 'open'],
  ['win32', {}, undefined],
])('On %s with %j, the command that opens a browser is %s', (platform, env, command) => {
  expect(browserCommand(platform, env)).toBe(command);
});

it('Each Enter prints a new link, other keys print none, and a stopped terminal is not read', () => {
  const terminal = new PassThrough();
  let links = 0;
  const stop = onEnter(terminal, () => (links += 1));
  for (const typed of ['\n', 'abc', '\r', 'x\n']) terminal.emit('data', Buffer.from(typed));
  expect(links).toBe(2);
  terminal.emit('error', new Error('EIO'));
  stop();
  terminal.emit('data', Buffer.from('\n'));
  expect([links, terminal.isPaused()]).toEqual([2, true]);
});
