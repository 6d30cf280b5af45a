/** What Node tells of a network is no mistake of the program, whichever code a library has put in place of its own. */
import { expect, it } from 'vitest';
import { error, said } from './thrown.ts';

const AT = {
  connect: 'at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16)',
  read: 'at TCP.onStreamRead (node:internal/stream_base_commons:216:20)',
  lookup: 'at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:122:26)',
};

it.each<readonly [string, string, string | undefined, string]>([
  ['connect ECONNREFUSED 127.0.0.1:4', AT.connect, 'ESOCKET', 'unavailable'],
  ['connect ECONNREFUSED 10.0.0.9:587', AT.connect, undefined, 'unavailable'],
  ['connect ETIMEDOUT 10.0.0.9:587', AT.connect, 'ESOCKET', 'timeout'],
  ['getaddrinfo ENOTFOUND mail.corp.internal', AT.lookup, 'EDNS', 'unavailable'],
  ['read ECONNRESET', AT.read, 'ESOCKET', 'disconnected'],
  ['socket hang up', AT.read, undefined, 'disconnected'],
  ['Unexpected end of JSON input', 'at JSON.parse (<anonymous>)', undefined, 'internal'],
])('%s', async (message, at, code, kind) => {
  const reason = error(message, { code, stack: `Error: ${message}\n    ${at}` });
  const [told, words] = await said(reason, { to: 'ada@example.org' });
  expect(told).toBe(kind);
  expect(words).not.toContain(message);
});
