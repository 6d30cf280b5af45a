/** A server whose lists are none, alone at an endpoint, from docs/shaping.md: the request fails, with the reason. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { post } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { ask, call } from '../support/messages.ts';
import { fate } from '../support/policy.ts';

let http: HttpPuppet;
beforeAll(async () => {
  const none = [{ answer: { result: null } }];
  http = await startHttpPuppet({ on: { 'tools/list': none, 'prompts/list': none, 'resources/list': none } });
});
afterAll(() => http.close());
const gateway = keepGateway(() =>
  startGateway({
    upstreams: { u: { url: http.url } },
    virtual: { v: { tools: ['*'] }, lazy: { tools: ['*'], discovery: 'lazy' } },
  }),
);

describe('where all are missing, the request fails', () => {
  it.each([
    ['', ask('tools/list', {}, 'mine')],
    ['', ask('prompts/list', {}, 'mine')],
    ['', ask('resources/list', {}, 'mine')],
    ['v', ask('tools/list', {}, 'mine')],
    ['lazy', call('search_tools', {}, 'mine')],
    ['lazy', call('describe_tools', { names: ['u_x'] }, 'mine')],
  ])('at /%s %j', async (endpoint, request) => {
    const { message } = await post(at(gateway(), endpoint), request);
    expect(message['id']).toBe('mine');
    expect(fate(message)).toMatch(/^invalid_output\//);
  });
});
