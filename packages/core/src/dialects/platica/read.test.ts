/** What Platica hears in every wire that it can meet, to the last member. */
import { expect, it } from 'vitest';
import { type HeardRow, heardBy, rpc, toolError, wholeHeard } from '../../../test/helpers.ts';

// biome-ignore format: a table
it.each<HeardRow>([
  ['Rate limit exceeded', undefined],
  [rpc(-32001, 'Unauthorized: missing or invalid Authorization header'),
    { kind: 'unauthenticated', message: 'Unauthorized: missing or invalid Authorization header', refusal: true, native: { dialect: 'platica', code: -32001, message: 'Unauthorized: missing or invalid Authorization header' } }, 0.95, 'code: -32001 Unauthorized'],
  [rpc(-32000, ''),
    { kind: 'unsupported', message: 'GET or DELETE on /mcp; only POST is accepted', refusal: true, subject: { type: 'method' }, native: { dialect: 'platica', code: -32000, message: '' } }, 0.95, 'code: -32000 Method Not Allowed'],
  [rpc(-32602, 'Bad call'),
    { kind: 'invalid_request', message: 'Bad call', refusal: true, native: { dialect: 'platica', code: -32602, message: 'Bad call' } }, 0.95, 'code: -32602 Invalid Params'],
  [rpc(-32603, 'Boom'),
    { kind: 'internal', message: 'Boom', retryable: true, native: { dialect: 'platica', code: -32603, message: 'Boom' } }, 0.95, 'code: -32603 Internal Error'],
  [rpc(404, 'A positive code is no protocol error'), undefined],
  [rpc(0, 'Nothing'), undefined],
  [rpc(-32009, 'Not one of the four'), undefined],
  ['only text', undefined],
  [{ http: { status: 404, body: { code: 404, error: 'Client not found' } } },
    { kind: 'not_found', message: 'Client not found', subject: { type: 'client' }, native: { dialect: 'platica', raw: '{"code":404,"error":"Client not found"}' } }, 0.95, 'status: REST status 404'],
  [{ http: { status: 503, body: ['down'] } },
    { kind: 'unavailable', message: 'down', native: { dialect: 'platica', raw: '["down"]' } }, 0.95, 'status: REST status 503'],
  [{ http: { status: 503, body: 'down' } },
    { kind: 'unavailable', message: 'down', native: { dialect: 'platica', raw: 'down' } }, 0.95, 'status: REST status 503'],
  [{ http: { status: 418, body: 'tea' } },
    { kind: 'unsupported', message: 'tea', native: { dialect: 'platica', raw: 'tea' } }, 0.85, 'status: REST status 418'],
  [toolError('{"code":404,"error":"Client not found","details":"..."}'),
    { kind: 'not_found', message: 'Client not found', subject: { type: 'client' }, native: { dialect: 'platica', raw: '{"code":404,"error":"Client not found","details":"..."}' } }, 0.95, 'status: REST status 404'],
  [toolError('{"code":404,"error":"No such thing"}'),
    { kind: 'not_found', message: 'No such thing', native: { dialect: 'platica', raw: '{"code":404,"error":"No such thing"}' } }, 0.95, 'status: REST status 404'],
  [toolError('{"code":502,"error":"Bad gateway"}'),
    { kind: 'upstream_failed', message: 'Bad gateway', native: { dialect: 'platica', raw: '{"code":502,"error":"Bad gateway"}' } }, 0.85, 'status: REST status 502'],
  [toolError('{"code":204,"error":"odd"}'), undefined],
  [toolError('{"code":400,"error":"Must specify a valid workspace for this key"}'),
    { kind: 'invalid_arguments', message: 'Must specify a valid workspace for this key', issues: [{ path: ['workspace'], message: 'is required with a multi-workspace key', code: 'required' }], advice: 'Pass workspace: "<id>" in the arguments.', native: { dialect: 'platica', raw: '{"code":400,"error":"Must specify a valid workspace for this key"}' } }, 0.95, 'status: REST status 400'],
  [toolError('{"code":400,"error":"Bad","errors":[{"field":"name","message":"is too long"}]}'),
    { kind: 'invalid_arguments', message: 'Bad', issues: [{ path: ['name'], message: 'is too long' }], native: { dialect: 'platica', raw: '{"code":400,"error":"Bad","errors":[{"field":"name","message":"is too long"}]}' } }, 0.95, 'status: REST status 400'],
  [toolError('{"code":429,"error":"Slow","details":"Wait, then call again. Wait at least 5 s."}'),
    { kind: 'rate_limited', message: 'Slow', retry: { afterMs: 5000 }, native: { dialect: 'platica', raw: '{"code":429,"error":"Slow","details":"Wait, then call again. Wait at least 5 s."}' } }, 0.95, 'status: REST status 429'],
  [toolError('{"code":500,"error":"Boom","details":"Wait, then call again. Wait at least 5 s."}'),
    { kind: 'internal', message: 'Boom', retryable: true, native: { dialect: 'platica', raw: '{"code":500,"error":"Boom","details":"Wait, then call again. Wait at least 5 s."}' } }, 0.95, 'status: REST status 500'],
  [toolError('name: Required', { structuredContent: { issues: [{ path: ['name'], message: 'Required', code: 'invalid_type' }] } }),
    { kind: 'invalid_arguments', message: 'name: Required', issues: [{ path: ['name'], message: 'Required', code: 'invalid_type' }], native: { dialect: 'platica', raw: 'name: Required', extra: { structuredContent: { issues: [{ path: ['name'], message: 'Required', code: 'invalid_type' }] } } } }, 0.95, 'issues: 1 Zod issues'],
  [toolError('Rate limit exceeded'),
    { kind: 'rate_limited', message: 'Rate limit exceeded', native: { dialect: 'platica', raw: 'Rate limit exceeded' } }, 0.94, [{ by: 'phrase', says: '"Rate limit exceeded"', kind: 'rate_limited' }]],
])('platica hears %j', (wire, said, certainty, proof) => {
  expect(heardBy('platica', wire)).toEqual(wholeHeard('platica', said, certainty, proof));
});
