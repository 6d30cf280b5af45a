/** Names that other programs have for settings: files are often pasted from a client. */

/** What a name of somebody else's is called here; a sentence where there is nothing like it. */
const ELSEWHERE: { readonly [name: string]: { readonly here: string } | { readonly hint: string } } = {
  mcpServers: { here: 'upstreams' },
  mcp_servers: { here: 'upstreams' },
  context_servers: { here: 'upstreams' },
  servers: { here: 'upstreams' },
  backends: { here: 'upstreams' },
  serverUrl: { here: 'url' },
  httpUrl: { here: 'url' },
  endpoint: { here: 'url' },
  workingDirectory: { here: 'cwd' },
  environment: { here: 'env' },
  apiKeys: { here: 'keys' },
  host: { here: 'listen.host' },
  port: { here: 'listen.port' },
  type: { hint: 'leave it out; command, url or openapi says what an upstream is' },
  transport: { hint: 'leave it out; command, url or openapi says what an upstream is' },
  disabled: { hint: 'leave the upstream out of the file, or make it a comment' },
  enabled: { hint: 'leave the upstream out of the file, or make it a comment' },
  envFile: { hint: 'set the variables where the gateway is started, and name them in env' },
  autoApprove: { hint: 'the gateway asks nobody; approval is up to the client' },
  alwaysAllow: { hint: 'the gateway asks nobody; approval is up to the client' },
};

/** What to do about a name that another program has for something, as the end of a sentence. */
export function foreignHint(name: string): string | undefined {
  const known = Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : undefined;
  if (known === undefined) return undefined;
  return 'here' in known ? `here it is called ${known.here}` : known.hint;
}

/** Is this another name of this setting? */
export function isForeignFor(name: string, setting: string): boolean {
  const known = Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : undefined;
  return known !== undefined && 'here' in known && known.here === setting;
}
