import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Endpoint, exchange, type HttpAnswer } from '../../acceptance/http.ts';
import { commandOutput, freshFolder, type HttpReference, serveHttp } from '../../acceptance/reference.ts';
import { callTool, type Message, type Wire } from '../../acceptance/wire.ts';

/** The nine classes of failure, by the name that `data.error_code` has. */
export type ErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'rate_limited'
  | 'bad_request'
  | 'validation_error'
  | 'unprocessable_entity'
  | 'not_found'
  | 'conflict'
  | 'internal_error';

/** A running desk and people who use it. */
export interface Desk {
  readonly server: HttpReference;
  readonly folder: string;
  /** May do everything. */
  readonly ada: Endpoint;
  /** Another owner, who may do everything too. */
  readonly bob: Endpoint;
  /** Has a token that cannot make QR codes. */
  readonly guest: Endpoint;
  /** Is used up by whoever needs a limit. */
  readonly hasty: Endpoint;
  /** Has no token. */
  readonly nobody: Endpoint;
  close(): Promise<void>;
}

/** The GTIN of the document; nobody has a rule for it. */
export const UNKNOWN_GTIN = '00614141123452';
/** A GTIN for use inside a shop only: nobody can claim it. */
const RESTRICTED_GTIN = '02000000000008';
/** A GTIN that has a rule. */
export const KNOWN_GTIN = '09506000134352';

/** Prints a token with these scopes. */
export function mint(folder: string, owner: string, scopes: string): Promise<string> {
  return commandOutput('closient', ['--mint', scopes, '--owner', owner, '--data', folder]);
}

const SCOPES = {
  ada: 'qr:generate,gtin:claim',
  bob: 'qr:generate,gtin:claim',
  guest: 'gtin:claim',
  hasty: 'qr:generate,gtin:claim',
};

/** Somebody with a token. */
type Person = keyof typeof SCOPES;

/** Opens a desk in a fresh folder, for those who come with a token and for nobody. */
export async function openDesk(people: readonly Person[] = [], flags: readonly string[] = []): Promise<Desk> {
  const folder = freshFolder();
  const tokens = await Promise.all(people.map((person) => mint(folder.path, person, SCOPES[person])));
  const server = await serveHttp('closient', folder.path, flags);
  const endpoint = (person: Person): Endpoint => {
    const token = tokens[people.indexOf(person)];
    if (token === undefined) {
      throw new Error(`${person} was not asked to this desk`);
    }
    return new Endpoint(server.mcp, { authorization: `Bearer ${token}` });
  };
  return {
    server,
    folder: folder.path,
    get ada() {
      return endpoint('ada');
    },
    get bob() {
      return endpoint('bob');
    },
    get guest() {
      return endpoint('guest');
    },
    get hasty() {
      return endpoint('hasty');
    },
    nobody: new Endpoint(server.mcp),
    close: async () => {
      await server.stop();
      folder.remove();
    },
  };
}

/** Holds the desk's database while something is tried, so that nothing can be written. */
export const whileLocked = <T>(desk: Desk, run: () => Promise<T>): Promise<T> =>
  between(desk, ['BEGIN EXCLUSIVE', 'ROLLBACK'], run);

/** Takes the table of claims away while something is tried: nobody but the desk's operator can help. */
const whileBroken = <T>(desk: Desk, run: () => Promise<T>): Promise<T> =>
  between(desk, ['ALTER TABLE claims RENAME TO elsewhere', 'ALTER TABLE elsewhere RENAME TO claims'], run);

async function between<T>(desk: Desk, [first, last]: [string, string], run: () => Promise<T>): Promise<T> {
  const database = new DatabaseSync(join(desk.folder, 'closient.sqlite'));
  database.exec(first);
  try {
    return await run();
  } finally {
    database.exec(last);
    database.close();
  }
}

/** One REST request with somebody's token. */
export function rest(
  desk: Desk,
  who: Endpoint,
  method: string,
  path: string,
  body?: Wire,
): Promise<HttpAnswer> {
  const raw = typeof body === 'string' ? body : JSON.stringify(body);
  return exchange(desk.server.origin + path, {
    method,
    headers: { ...who.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? undefined : raw,
  });
}

/** Calls until the answer is an error with this code. */
export async function untilLimited(who: Endpoint): Promise<Message> {
  for (let calls = 0; calls < 60; calls += 1) {
    const answer = await callTool(who, 'resolve_gtin', { gtin: UNKNOWN_GTIN });
    if (answer.result?.error?.code !== -32200) {
      return answer;
    }
  }
  throw new Error('60 calls and no limit');
}

/** Each failure by a real condition, over MCP. */
export const OVER_MCP: Record<ErrorCode, (desk: Desk) => Promise<Message>> = {
  unauthorized: (desk) => callTool(desk.nobody, 'generate_qr_url', { gtin: UNKNOWN_GTIN }),
  forbidden: (desk) => callTool(desk.guest, 'generate_qr_url', { gtin: UNKNOWN_GTIN }),
  rate_limited: (desk) => untilLimited(desk.hasty),
  bad_request: (desk) => desk.ada.request('tools/call', { name: 7 }),
  validation_error: (desk) => callTool(desk.ada, 'resolve_gtin', { gtin: '123' }),
  unprocessable_entity: (desk) => callTool(desk.ada, 'claim_gtin', { gtin: RESTRICTED_GTIN }),
  not_found: (desk) => callTool(desk.ada, 'resolve_gtin', { gtin: UNKNOWN_GTIN }),
  conflict: async (desk) => {
    await callTool(desk.ada, 'claim_gtin', { gtin: KNOWN_GTIN });
    return callTool(desk.bob, 'claim_gtin', { gtin: KNOWN_GTIN });
  },
  internal_error: (desk) => whileBroken(desk, () => callTool(desk.ada, 'claim_gtin', { gtin: UNKNOWN_GTIN })),
};

/** The same failures over REST. */
export const OVER_REST: Record<ErrorCode, (desk: Desk) => Promise<HttpAnswer>> = {
  unauthorized: (desk) => rest(desk, desk.nobody, 'POST', '/v1/qr', { gtin: UNKNOWN_GTIN }),
  forbidden: (desk) => rest(desk, desk.guest, 'POST', '/v1/qr', { gtin: UNKNOWN_GTIN }),
  rate_limited: async (desk) => {
    await untilLimited(desk.hasty);
    return rest(desk, desk.hasty, 'GET', `/v1/gtins/${UNKNOWN_GTIN}/resolution`);
  },
  bad_request: (desk) => rest(desk, desk.ada, 'POST', '/v1/qr', '{"gtin": '),
  validation_error: (desk) => rest(desk, desk.ada, 'GET', '/v1/gtins/123/resolution'),
  unprocessable_entity: (desk) => rest(desk, desk.ada, 'POST', '/v1/claims', { gtin: RESTRICTED_GTIN }),
  not_found: (desk) => rest(desk, desk.ada, 'GET', `/v1/gtins/${UNKNOWN_GTIN}/resolution`),
  conflict: async (desk) => {
    await callTool(desk.ada, 'claim_gtin', { gtin: KNOWN_GTIN });
    return rest(desk, desk.bob, 'POST', '/v1/claims', { gtin: KNOWN_GTIN });
  },
  internal_error: (desk) =>
    whileBroken(desk, () => rest(desk, desk.ada, 'POST', '/v1/claims', { gtin: UNKNOWN_GTIN })),
};
