/** What the command says when it serves. */
import type { Gateway } from '@mayday/gateway';
import type { Source } from './source.ts';

/** What is served, and where. */
type Served = Pick<Gateway, 'url' | 'adminUrl' | 'upstreams' | 'virtual'>;

/** Where everything is. */
export function banner(gateway: Served, { root, settings }: Source, workers = 1): string {
  const own = `  ${gateway.url}/mcp`;
  const names = [...gateway.upstreams, ...gateway.virtual];
  const each = names.map((name) => `  ${gateway.url}/${name}/mcp`);
  const prefixed = settings.joined.separator === '' ? '' : ', names prefixed';
  const lines = settings.joined.enabled ? [...each, `${own} (all of them${prefixed})`] : each;
  const admin = gateway.adminUrl === undefined ? [] : [`  ${gateway.adminUrl}/-/admin/v1 (for operators)`];
  const pages = settings.admin === false || !settings.admin.console ? [] : [consoleOf(gateway)];
  const who = workers === 1 ? 'Mayday gateway' : `Mayday gateway, ${workers} workers`;
  return `${who}, listening:\n${[...(root === undefined ? lines : [own]), ...admin, ...pages].join('\n')}\n`;
}

function consoleOf({ url, adminUrl = url }: Served): string {
  return `  ${adminUrl}/-/console/ (the console, for operators)`;
}
