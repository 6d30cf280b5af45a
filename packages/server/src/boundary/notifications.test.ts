import { expect, it } from 'vitest';
import { safeNotification } from './notifications.ts';

const LEAK = 'connect postgres://admin:hunter2-S3cr3tPassw0rd@10.0.0.5:5432/prod';

it.each([
  ['notifications/progress', { progressToken: 'p', progress: 1, _meta: { 'example.com/why': LEAK } }],
  ['notifications/resources/updated', { uri: 'file:///a', _meta: { why: LEAK } }],
  ['notifications/resources/updated', { uri: 'file:///a', title: LEAK }],
  ['notifications/tools/list_changed', { reason: LEAK }],
  ['notifications/progress', { progressToken: 'p', progress: 1, note: { why: LEAK } }],
  ['notifications/cancelled', { requestId: 7, details: [LEAK] }],
  ['notifications/tasks/status', { taskId: 't', status: 'failed', error: LEAK }],
  ['notifications/message', { level: 'error', data: 'x', extra: LEAK }],
  ['notifications/acme/lost', { database: LEAK, deep: [{ why: LEAK }] }],
  ['acme/lost', { why: LEAK, _meta: { why: LEAK } }],
  ['acme/lost', { [LEAK]: 1, _meta: { [LEAK]: 1, progressToken: 'p' } }],
])('redacts what %s carries', (method, params) => {
  const safe = safeNotification({ jsonrpc: '2.0', method, params }, new Set());
  expect(JSON.stringify(safe)).not.toContain('hunter2');
});

it('redacts what a model is asked, and leaves its pictures', () => {
  const picture = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgoAAAANSUhEUg==' };
  const messages = [
    { role: 'user', content: { type: 'text', text: LEAK } },
    { role: 'user', content: [{ type: 'text', text: `For ada@example.com: ${LEAK}` }, picture] },
    { role: 'user', content: picture },
  ];
  const params = { messages, systemPrompt: LEAK, metadata: { why: LEAK }, maxTokens: 5 };
  const message = { jsonrpc: '2.0' as const, id: 1, method: 'sampling/createMessage', params };
  const safe = safeNotification(message, new Set());
  expect(JSON.stringify(safe)).not.toContain('hunter2');
  expect(safe.params).toMatchObject({
    messages: [
      {},
      { content: [{ text: expect.stringContaining('ada@example.com') }, picture] },
      { content: picture },
    ],
    maxTokens: 5,
  });
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
