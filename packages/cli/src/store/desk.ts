/** What operators ask: of the admin API of a gateway that runs, or the same of its store. */
import { userInfo } from 'node:os';
import process from 'node:process';
import { type Admin, createAdmin } from '@mayday/gateway';
import { type Arguments, type Flags, stringFlag } from '../arguments.ts';
import { languageFlag } from '../language-flag.ts';
import { UsageError } from '../usage-error.ts';
import { askGateway, rootOf } from './over-http.ts';
import type { Said } from './said.ts';
import { STORE_FLAGS, STORE_HELP, withStore } from './with-store.ts';

/** The flags that say of whom. */
export const DESK_FLAGS: Flags = { ...STORE_FLAGS, url: { type: 'string' } };

/** What their help says. */
export const DESK_HELP: string = `  --url URL    a gateway that runs, by its admin API; MAYDAY_KEY has the key of an operator
${STORE_HELP}`;

/** Takes questions. */
export interface Desk {
  ask<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<Said<T>>;
}

/** Runs some work at the desk that the flags name. */
export async function withDesk<T>(
  parsed: Arguments,
  { isMade }: { readonly isMade: boolean },
  work: (desk: Desk) => Promise<T>,
): Promise<T> {
  const url = stringFlag(parsed, 'url');
  if (url !== undefined) {
    const other = ['store', 'config'].find((flag) => parsed.values[flag] !== undefined);
    if (other !== undefined)
      throw new UsageError(`--url and --${other} exclude each other; keep one of them`);
    const [root, key] = [rootOf(url), process.env['MAYDAY_KEY']];
    return work({ ask: (method, path, body) => askGateway({ root, key, method, path, body }) });
  }
  const language = await languageFlag(parsed);
  return withStore(parsed, { isMade }, ({ store, settings }) => {
    const house = { store, settings: () => settings, language, isByKey: false };
    return work(besideStore(createAdmin(house)));
  });
}

function besideStore({ find, run }: Admin): Desk {
  return {
    async ask<T>(method: string, path: string, body?: object): Promise<Said<T>> {
      const found = find(method, path);
      const outcome = 'fault' in found ? found : await run(found, { path, body, actor: actor() });
      if ('follow' in outcome) throw new TypeError(`Expected an answer to ${path}, got a stream`);
      if (!('fault' in outcome)) return { ok: true, body: outcome.body as T };
      const { status, fault } = outcome;
      const { kind, message = kind, advice, subject } = fault;
      return { ok: false, fault: { status, kind, message, advice, subject } };
    },
  };
}

/** Whoever runs the command. */
function actor(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`; // no name belongs to it
  }
}
