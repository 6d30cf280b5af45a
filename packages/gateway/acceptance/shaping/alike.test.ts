/** What is hidden is told like what nobody has, from docs/shaping.md, in every dialect and with opaque refusals. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { post } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { call, modern } from '../support/messages.ts';
import '../support/policy.ts';
import { PATIENT, tool } from '../support/shaping.ts';
import { stdio } from '../support/world.ts';

const ANN = 'ann-key-0123456789';
/** Of the same length, and near to nothing that is shown. */
const [HIDDEN, UNKNOWN] = ['qqqq_one', 'qqqq_two'];
const TOOLS = [tool('echo'), tool(HIDDEN, { description: 'Nobody sees this.' }), tool('guarded')];

let http: HttpPuppet;
beforeAll(async () => {
  http = await startHttpPuppet({ tools: TOOLS });
});
afterAll(() => http.close());
const shaped = { tools: { deny: [HIDDEN] } };
const start = (access: object) => () =>
  startGateway({
    joined: PATIENT,
    keys: [{ name: 'ann', key: ANN }],
    access: { rules: [{ deny: ['*/guarded'] }], ...access },
    upstreams: {
      u: { url: http.url, ...shaped },
      s: stdio({ tools: TOOLS }, shaped),
      t: stdio({ tools: TOOLS, tellsAsTool: true }, shaped),
      r: stdio({ tools: TOOLS, tellsAsTool: true }, { tools: { rename: { [HIDDEN]: 'shown' } } }),
    },
    virtual: { v: { tools: ['*'] }, lazy: { tools: ['*'], discovery: 'lazy' } },
  });

const DOORS: [endpoint: string, prefix: string][] = [
  ['u', ''],
  ['s', ''],
  ['t', ''],
  ['r', ''],
  ['', 'u_'],
  ['', 't_'],
  ['', 'r_'],
  ['v', 't_'],
  ['', 's_'],
  ['v', 'u_'],
  ['v', 's_'],
];
const DIALECTS = ['mayday', 'mcp', 'onx', 'closient', 'erlmcp', 'qaqnuz', 'platica', 'problem'];

describe.each([
  ['explicit', {}],
  ['opaque', { refusals: 'opaque' }],
])('with refusals that are %s', (_name, access) => {
  const gateway = keepGateway(start(access));
  /** What was told, without what differs between any two calls. */
  async function told(endpoint: string, request: object, name: string, dialect: string): Promise<string> {
    const { status, body, headers } = await post(at(gateway(), endpoint), request, { key: ANN, dialect });
    const text = body
      .replaceAll(name, 'NAME')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, 'TIME');
    return `${status} ${headers['content-type']} ${text}`;
  }

  it.each(DIALECTS)('in the dialect %s', async (dialect) => {
    for (const [endpoint, prefix] of DOORS) {
      const [hidden, unknown] = await Promise.all(
        [HIDDEN, UNKNOWN].map((name) => told(endpoint, call(`${prefix}${name}`), name, dialect)),
      );
      expect(hidden, `/${endpoint} ${prefix}`).toBe(unknown);
      expect(hidden).not.toContain('Nobody sees');
      expect(hidden).not.toContain('Available');
    }
  });

  it('in the revision of 2026', async () => {
    for (const [endpoint, prefix] of DOORS) {
      const answers = await Promise.all(
        [HIDDEN, UNKNOWN].map(async (name) => {
          const request = modern(call(`${prefix}${name}`));
          const { status, message } = await post(at(gateway(), endpoint), request, { key: ANN, era: '2026' });
          return JSON.stringify([
            status,
            message['error']?.code,
            message['result']?.isError,
            message['error']?.message,
          ]).replaceAll(name, 'NAME');
        }),
      );
      expect(answers[0], `/${endpoint} ${prefix}`).toBe(answers[1]);
    }
  });

  it.each([
    ['describe_tools', 'u'],
    ['call_tool', 'u'],
    ['call_tool', 't'],
    ['search_tools', 'u'],
  ])('by %s, of %s', async (door, upstream) => {
    const args = (name: string): object =>
      ({
        describe_tools: { names: [`${upstream}_${name}`] },
        call_tool: { name: `${upstream}_${name}` },
        search_tools: { query: name },
      })[door] ?? {};
    const [hidden, unknown] = await Promise.all(
      [HIDDEN, UNKNOWN].map((name) => told('lazy', call(door, args(name)), name, 'mayday')),
    );
    expect(hidden).toBe(unknown);
  });
});
