/** What is otherwise for servers that are started by the gateway, and no longer by their client. */
import { namesSecret } from '@mayday/core/redact';
import type { Client } from './clients.ts';
import { isOfProcess } from './process-variables.ts';
import { isObject } from './sections.ts';

/** What an import knows. */
interface Surroundings {
  /** The settings of the gateway. */
  readonly to: string;
  readonly client: Pick<Client, 'title' | 'passesEnvironment'> | undefined;
  readonly env: { readonly [name: string]: string | undefined };
}

/** Tells it, where any of these servers is started. */
export function tellProcesses(
  upstreams: { readonly [name: string]: unknown },
  { to, client, env }: Surroundings,
  say: (line: string) => void,
): void {
  const processes = Object.values(upstreams).filter(
    (one) => isObject(one) && one['command'] !== undefined,
  ) as { readonly env?: unknown }[];
  if (processes.length === 0) return;
  say(
    `servers that are slow to start have 8 s from when the client comes; after that, only clients that list again have their tools. joined.start_timeout_ms in ${to} changes that`,
  );
  if (client?.passesEnvironment !== true) return;
  const given = new Set(processes.flatMap((one) => (isObject(one.env) ? Object.keys(one.env) : [])));
  const names = Object.keys(env).filter((name) => isForServers(name) && !given.has(name));
  say(
    `${client.title} lets servers see its whole environment, the gateway only PATH, HOME and the like: what one needs beside that, name under its env in ${to}${setHere(names.sort())}`,
  );
}

function setHere(names: readonly string[]): string {
  const [first] = names;
  if (first === undefined) return '';
  const more = names.length > MAX_NAMES ? ' and others' : '';
  return `; set here: ${names.slice(0, MAX_NAMES).join(', ')}${more}; such as ${first}: \${${first}}`;
}

const MAX_NAMES = 12;

/** Names of services, and of how they are reached. */
const OF_A_SERVICE =
  /_(?:HOST|URL|URI|ENDPOINT|PROFILE|REGION|PROJECT|ACCOUNT|USERNAME|SOCK|CONFIG|DSN|CREDENTIALS)$|^KUBECONFIG$|^VIRTUAL_ENV$/;

/** Shells and desktops set them for everybody. */
const OF_DESKTOPS = /^(?:OLDPWD|GDMSESSION|SESSION\w*|(?:DESKTOP|DBUS)_\w+|\w*TERM_SESSION_ID)$/i;

/** Is it one that servers are told things by? Every shell has many others. */
function isForServers(name: string): boolean {
  return !isOfProcess(name) && !OF_DESKTOPS.test(name) && (namesSecret(name) || OF_A_SERVICE.test(name));
}
