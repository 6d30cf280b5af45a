/** Whether clients can make something of what a server answers: those of the official SDKs refuse the whole answer otherwise. */

/** Is it an object of JSON? */
export function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What clients would not take in an answer to `initialize`. Of one that is no object the gateway has told before. */
export function mistakeInOpening(result: unknown): string | undefined {
  const { protocolVersion, capabilities, serverInfo } = isObject(result) ? result : {};
  if (typeof protocolVersion !== 'string') return unusable('initialize', 'protocolVersion is no string');
  if (!isObject(capabilities)) return unusable('initialize', 'capabilities is no object');
  const isNamed =
    isObject(serverInfo) &&
    typeof serverInfo['name'] === 'string' &&
    typeof serverInfo['version'] === 'string';
  return isNamed ? undefined : unusable('initialize', 'serverInfo does not say name and version');
}

/** The same for `tools/list`. */
export function mistakeInTools(result: unknown): string | undefined {
  const tools: unknown = isObject(result) ? result['tools'] : undefined;
  if (!Array.isArray(tools)) return unusable('tools/list', 'tools is no list');
  for (const [i, tool] of tools.entries()) {
    if (!isObject(tool) || typeof tool['name'] !== 'string')
      return unusable('tools/list', `tools.${i} has no name`);
    const { inputSchema, name } = tool;
    if (!isObject(inputSchema) || inputSchema['type'] !== 'object')
      return unusable('tools/list', `the inputSchema of ${JSON.stringify(name)} is not of the type object`);
  }
  return undefined;
}

function unusable(method: string, why: string): string {
  return `Clients cannot use its answer to ${method}: ${why}\nUpdate the server, or tell its author.`;
}
