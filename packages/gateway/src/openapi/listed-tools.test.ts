import { language } from '@mayday/core';
import { expect, it } from 'vitest';
import { settingsOf } from '../../test/tools.ts';
import { hearOf } from '../call/path.ts';
import type { UpstreamSettings } from '../settings/settings.ts';
import { rememberTools } from './listed-tools.ts';

const { upstreams } = settingsOf({ upstreams: { a: { url: 'http://127.0.0.1/' } } });
const hear = hearOf(upstreams.get('a') as UpstreamSettings, language);

it('is not looked through for failures where it was made here, and is where it was not', () => {
  const failing = (): Buffer => Buffer.from('{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"x"}}');
  const made = failing();
  rememberTools(made, []);
  expect([hear.isOwn?.(made), hear.isOwn?.(failing())]).toEqual([true, false]);
  expect(hear.failureIn(failing())).toMatchObject({ error: { code: -32603 } });
});
