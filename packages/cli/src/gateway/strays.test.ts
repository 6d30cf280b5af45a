import { expect, it } from 'vitest';
import { isOurs } from './strays.ts';

const OURS = '    at take (file:///srv/app/node_modules/@mayday/gateway/dist/index.js:470:11)';
const THEIRS = '    at Timeout._onTimeout (file:///srv/app/acme.mjs:3:9)';
const NODES = '    at listOnTimeout (node:internal/timers:585:17)';

it.each([
  ['our code alone', [OURS, NODES], true],
  ['our code on Windows', ['    at C:\\app\\node_modules\\@mayday\\relay\\dist\\index.js:4:1'], true],
  [
    'code beside this package',
    [`    at f (${new URL('../../../relay/src/index.ts', import.meta.url)}:4:1)`],
    true,
  ],
  ['code of somebody else', [THEIRS, NODES], false],
  ['our code, called by somebody else', [OURS, THEIRS, NODES], false],
  [
    'a socket that nobody listens to',
    ['    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1607:16)'],
    false,
  ],
  ['nothing', [], false],
])('%s', (_, frames, expected) => {
  expect(isOurs(['Error: a word', ...frames].join('\n'))).toBe(expected);
});
