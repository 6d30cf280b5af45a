import { expect, it } from 'vitest';
import { safeNotification } from './notifications.ts';

const LEAK = 'connect postgres://admin:hunter2-S3cr3tPassw0rd@10.0.0.5:5432/prod';

it.each([
  ['notifications/progress', { progressToken: 'p', progress: 1, _meta: { 'example.com/why': LEAK } }],
  ['notifications/resources/updated', { uri: 'file:///a', _meta: { why: LEAK } }],
  ['notifications/acme/lost', { database: LEAK, deep: [{ why: LEAK }] }],
  ['acme/lost', { why: LEAK, _meta: { why: LEAK } }],
])('redacts what %s carries', (method, params) => {
  const safe = safeNotification({ jsonrpc: '2.0', method, params }, new Set());
  expect(JSON.stringify(safe)).not.toContain('hunter2');
});

it('leaves alone by what messages find each other', () => {
  const related = { taskId: 'ghp_16C7e42F292c6912E7710c838347Ae178B4a' };
  const _meta = { 'io.modelcontextprotocol/related-task': related, why: LEAK };
  const params = { progressToken: 'ghp_16C7e42F292c6912E7710c838347Ae178B4a', progress: 1, _meta };
  const safe = safeNotification({ jsonrpc: '2.0', method: 'notifications/progress', params }, new Set());
  expect(safe.params).toMatchObject({
    progressToken: params.progressToken,
    _meta: { 'io.modelcontextprotocol/related-task': related },
  });
});
