/** Every page of the docs that is generated, in whole or in part. */
import { KIND_NAMES } from '@mayday/core';
import { adminParts } from './admin-table.ts';
import { COMMAND_NAMES, commandIndex, commandParts, newCommandPage } from './command-pages.ts';
import { dialectIndex, dialectPage, dialectParts, newDialectPage, PAGED_DIALECTS } from './dialect-pages.ts';
import { generatedParts, newPage, type Parts } from './fault-pages.ts';
import { routesParts } from './routes-table.ts';
import { settingsParts } from './settings-table.ts';

/** One page: where it is, what its generated parts say, and what it looks like before anybody wrote around them. */
interface Page {
  readonly name: string;
  readonly parts: Parts;
  readonly fresh: string;
}

/** All of them. */
export async function generatedPages(): Promise<readonly Page[]> {
  const commands = COMMAND_NAMES.map(async (name) => ({
    name: `docs/commands/${name}.md`,
    parts: await commandParts(name),
    fresh: newCommandPage(name),
  }));
  return [
    ...(['README', ...KIND_NAMES] as const).map((kind) => ({
      name: `docs/faults/${kind}.md`,
      parts: generatedParts(kind),
      fresh: newPage(kind),
    })),
    ...PAGED_DIALECTS.map((dialect) => ({
      name: `docs/dialects/${dialectPage(dialect)}.md`,
      parts: dialectParts(dialect),
      fresh: newDialectPage(dialect),
    })),
    ...(await Promise.all(commands)),
    { name: 'docs/commands/README.md', parts: commandIndex(), fresh: '' },
    { name: 'docs/dialects.md', parts: dialectIndex(), fresh: '' },
    { name: 'docs/gateway.md', parts: { ...settingsParts(), ...routesParts() }, fresh: '' },
    { name: 'docs/admin.md', parts: adminParts(), fresh: '' },
  ];
}
