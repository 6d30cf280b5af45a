/** What a hostile server says. Everything follows from a number, the plan, that the request carries. */
import { mutated } from './mutate.ts';
import type { Random } from './random.ts';
import { anyValue, longText, nested, slowText } from './values.ts';

/** Planted in failures that are whole; it must never come out of the gateway. */
export const SECRET = 'hunter2-S3CR3T-4711';

const LEAK = `connect failed: postgres://svc:${SECRET}@10.0.0.5:5432/prod`;

/** One thing a server does. */
export type Act =
  | { readonly bytes: Buffer }
  | { readonly wait: number }
  | { readonly stderr: string }
  | { readonly end: 'exit' | 'reset' | 'close' };

/** The request that is reacted to, as JSON texts. */
export interface Asked {
  readonly id: string;
  readonly token: string;
  /** Whether it calls a tool: only then does `isError` mean a failure. */
  readonly calls: boolean;
}

const FINE = '{"content":[{"type":"text","text":"fine"}]}';

/** Messages that nobody asked for. */
function noise(random: Random, { token }: Asked): string {
  const value = (): string => (random.chance(0.02) ? nested(random) : anyValue(random));
  const note = (method: string, params: string): string =>
    `{"jsonrpc":"2.0","method":"${method}","params":${params}}`;
  switch (random.int(14)) {
    case 0:
      return note('notifications/progress', `{"progressToken":${token},"progress":${value()}}`);
    case 1:
      return note('notifications/progress', `{"progressToken":${value()},"progress":1,"message":${value()}}`);
    case 2:
      return note('notifications/progress', `{"progressToken":${token},"progress":1,"total":2}`);
    case 3:
      return note('notifications/resources/updated', `{"uri":${value()}}`);
    case 4:
      return note('notifications/message', `{"level":${value()},"data":${value()}}`);
    case 5:
      return note('notifications/tools/list_changed', value());
    case 6:
      return note('notifications/cancelled', `{"requestId":${value()}}`);
    case 7:
      return note(
        'notifications/subscriptions/acknowledged',
        `{"_meta":{"io.modelcontextprotocol/subscriptionId":${value()}}}`,
      );
    case 8:
      return `{"jsonrpc":"2.0","error":${random.chance(0.5) ? value() : '{"code":-32603,"message":"lost"}'}}`;
    case 9:
      return `{"jsonrpc":"2.0","id":${value()},"result":${value()}}`;
    case 10:
      return `{"jsonrpc":"2.0","id":${value()},"method":"sampling/createMessage","params":${value()}}`;
    case 11:
      return `{"jsonrpc":"2.0","id":"ask-${random.int(9)}","method":"${random.pick(['roots/list', 'elicitation/create', 'ping', 'constructor'])}","params":{}}`;
    case 12:
      return random.pick(['Server started', '', 'null', '[]', '{}', '\u001b[31mred', 'Content-Length: 10']);
    default:
      return value();
  }
}

/** An answer, right or odd. */
function answer(random: Random, { id }: Asked): string {
  const value = (): string => (random.chance(0.02) ? nested(random) : anyValue(random));
  switch (random.int(12)) {
    case 0:
      return `{"jsonrpc":"2.0","id":${id},"result":${value()}}`;
    case 1:
      return `{"jsonrpc":"2.0","id":${id},"error":${value()}}`;
    case 2:
      return `{"jsonrpc":"2.0","id":${id},"error":{"code":${value()},"message":${value()},"data":${value()}}}`;
    case 3:
      return `{"jsonrpc":"2.0","id":${id},"result":{"isError":${value()},"content":${value()}}}`;
    case 4:
      return `{"jsonrpc":"2.0","id":${id},"result":{"isError":true,"content":[{"type":"text","text":${random.pick([value(), slowText(random), longText(random)])}}]}}`;
    case 5:
      return `{"jsonrpc":"2.0","id":${id},"result":{"isError":true,"content":[],"structuredContent":${value()},"_meta":{"dev.mayday/fault":${value()}}}}`;
    case 6:
      return `{"jsonrpc":"2.0","id":${id},"error":{"code":${random.pick([-32000, -32001, -32003, -32010, -32042, -32021, 429, 3001])},"message":"later","data":{"retry_after":${value()}}}}`;
    case 7:
      return `{"jsonrpc":"2.0","id":${id},"result":{"tools":${value()},"nextCursor":${value()}}}`;
    case 8:
      return `{"id":${id},"jsonrpc":"2.0","result":${FINE},"error":${value()}}`;
    default:
      return `{"jsonrpc":"2.0","id":${id},"result":${FINE}}`;
  }
}

/** A failure in a whole and known form, with the secret in it. */
function leaking(random: Random, { id, calls }: Asked): string {
  const said = JSON.stringify(LEAK);
  const head = `{"jsonrpc":"2.0","id":${id},`;
  const errors = [
    `${head}"error":{"code":-32603,"message":${said}}}`,
    `${head}"error":{"code":-32000,"message":"failed","data":{"cause":${said}}}}`,
    `${head}"error":${said}}`,
    `${head}"error":[${said}]}`,
    `${head}"error":{"code":-32042,"message":${said},"data":{"elicitations":[]}}}`,
  ];
  const results = [
    `${head}"result":{"isError":true,"content":[{"type":"text","text":${said}}]}}`,
    `${head}"result":{"isErr\\u006fr":true,"content":[{"type":"text","text":${said}}]}}`,
    `${head}"result":{"content":[{"type":"text","text":${said}}],"isError" : true}}`,
    `${head}"result":{"isError":true,"content":[],"_meta":{"x/y":${said}},"structuredContent":{"a":${said}}}}`,
  ];
  return random.pick(calls ? [...errors, ...results] : errors);
}

const line = (text: string): Act => ({ bytes: Buffer.from(`${text}\n`) });

/** What a process does with one request. */
export function onLine(random: Random, asked: Asked): readonly Act[] {
  const roll = random.int(1000);
  if (roll < 300) return [line(`{"jsonrpc":"2.0","id":${asked.id},"result":${FINE}}`)];
  if (roll < 520)
    return [
      ...Array.from({ length: 1 + random.int(4) }, () => line(noise(random, asked))),
      line(answer(random, asked)),
    ];
  if (roll < 700) return [line(answer(random, asked))];
  if (roll < 800) return [line(leaking(random, asked))];
  if (roll < 850) return pieces(random, Buffer.from(`${answer(random, asked)}\n`));
  if (roll < 900) return [{ bytes: mutated(random, Buffer.from(`${answer(random, asked)}\n`)) }, line('')];
  if (roll < 920)
    return [line(answer(random, asked)), line(answer(random, asked)), line(noise(random, asked))];
  if (roll < 935) return [{ stderr: `${LEAK}\u001b[2J` }, line(answer(random, asked))];
  if (roll < 950) return [{ wait: 30 }, line(answer(random, asked))];
  if (roll < 955) return [{ wait: 900 }, line(answer(random, asked))];
  if (roll < 960) return [];
  if (roll < 970) return Array.from({ length: 100 }, () => line(noise(random, asked)));
  if (roll < 998) return [line(noise(random, asked)), line(answer(random, asked))];
  return [{ end: 'exit' }];
}

/** What an HTTP API does with one request; any JSON with 200 is a success of it, so that only other statuses may leak. */
export function onApiRequest(random: Random, asked: Asked): readonly Act[] {
  if (random.chance(0.2))
    return [
      response(
        random.pick(['400 Bad', '401 No', '404 No', '409 No', '422 No', '500 Oops', '503 Down']),
        'application/json',
        leaking(random, asked),
      ),
    ];
  if (random.chance(0.2)) return [response('500 Oops', random.pick(['text/plain', 'text/html']), LEAK)];
  return onRequest(random, asked, answer);
}

/** What an HTTP server does with one request. */
export function onRequest(random: Random, asked: Asked, leak = leaking): readonly Act[] {
  const roll = random.int(1000);
  const json = (text: string, status = '200 OK'): Act => response(status, 'application/json', text);
  if (roll < 250) return [json(`{"jsonrpc":"2.0","id":${asked.id},"result":${FINE}}`)];
  if (roll < 400) return [json(answer(random, asked), random.pick(STATUSES))];
  if (roll < 500)
    return [
      json(
        leak(random, asked),
        random.pick(['200 OK', '201 Created', '400 Bad Request', '500 Oops', '503 Down']),
      ),
    ];
  if (roll < 750) return stream(random, asked, leak);
  if (roll < 850) return [...pieces(random, bytesOf(json(answer(random, asked)))), { end: 'close' }];
  if (roll < 910)
    return [
      { bytes: mutated(random, bytesOf(json(answer(random, asked), random.pick(STATUSES)))) },
      { end: 'close' },
    ];
  if (roll < 940)
    return [
      response(
        random.pick(STATUSES),
        random.pick(TYPES),
        random.pick(['', '<html>', '\0\x01\x02', '{}', 'null', '[]']),
      ),
    ];
  if (roll < 960)
    return [
      {
        bytes: Buffer.from(
          random.pick([
            'HTTP/1.1 200 OK\r\n',
            'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{',
            'garbage\r\n\r\n',
            '',
          ]),
        ),
      },
      { end: random.pick(['close', 'reset'] as const) },
    ];
  if (roll < 975)
    return [
      { bytes: bytesOf(json(answer(random, asked))) },
      { bytes: Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}') },
    ];
  if (roll < 985) return [{ end: 'reset' }];
  if (roll < 990) return [{ wait: 900 }, json(answer(random, asked))];
  if (roll < 995) return [];
  return [
    {
      bytes: Buffer.from(
        `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(random.pick([1000, 20_000, 200_000]))}\r\nContent-Length: 0\r\n\r\n`,
      ),
    },
  ];
}

const STATUSES = [
  '200 OK',
  '200 OK',
  '200 OK',
  '201 Created',
  '202 Accepted',
  '204 No Content',
  '205 Reset',
  '302 Found',
  '304 Not Modified',
  '400 Bad',
  '401 No',
  '403 No',
  '404 No',
  '409 Conflict',
  '413 Big',
  '429 Slow',
  '500 Oops',
  '503 Down',
  '599 Odd',
  '100 Continue',
];
const TYPES = [
  'application/json',
  'text/event-stream',
  'text/html',
  'Application/JSON; charset=utf-8',
  'text/event-stream;charset=UTF-8',
  'application/octet-stream',
  '',
];

function stream(random: Random, asked: Asked, leak: typeof leaking): readonly Act[] {
  const events = [
    ...Array.from({ length: random.int(4) }, () => noise(random, asked)),
    random.chance(0.3) ? leak(random, asked) : answer(random, asked),
  ];
  const [newline, before] = [
    random.pick(['\n', '\n', '\n', '\r\n', '\r']),
    random.chance(0.1) ? '\ufeff' : '',
  ];
  const body = before + events.map((event) => eventOf(random, event, newline)).join('');
  const type = random.pick(['text/event-stream', 'text/event-stream; charset=utf-8', 'Text/Event-Stream']);
  const head = `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nConnection: close\r\n\r\n`;
  const acts = random.chance(0.5)
    ? [{ bytes: Buffer.from(head + body) }]
    : [{ bytes: Buffer.from(head) }, ...pieces(random, Buffer.from(body))];
  return [...acts, { end: 'close' }];
}

function eventOf(random: Random, data: string, newline: string): string {
  const lead = random.pick([
    '',
    '',
    `event: message${newline}`,
    `id: ${random.int(99)}${newline}`,
    `: note${newline}`,
    `retry: 1e9${newline}`,
  ]);
  const text = data.replaceAll('\n', ' ');
  return `${lead}data:${random.pick([' ', ''])}${text}${newline}${newline}`;
}

function response(status: string, type: string, text: string): Act {
  const body = Buffer.from(text);
  const head = `HTTP/1.1 ${status}\r\n${type === '' ? '' : `Content-Type: ${type}\r\n`}Content-Length: ${body.length}\r\n\r\n`;
  return { bytes: Buffer.concat([Buffer.from(head), body]) };
}

function bytesOf(act: Act): Buffer {
  return 'bytes' in act ? act.bytes : Buffer.alloc(0);
}

function pieces(random: Random, bytes: Buffer): Act[] {
  const cuts = Array.from({ length: 1 + random.int(3) }, () => random.int(bytes.length + 1)).sort(
    (a, b) => a - b,
  );
  const edges = [0, ...cuts, bytes.length];
  return edges
    .slice(1)
    .flatMap((to, index): Act[] => [
      { bytes: bytes.subarray(edges[index] ?? 0, to) },
      { wait: random.int(3) },
    ]);
}
