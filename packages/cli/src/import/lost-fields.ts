/** What clients know about a server and the gateway has no place for. */

const APPROVAL = 'approval is up to the client; set it again for the new entry';
const SANDBOX = 'it runs outside of a sandbox now';

const ABOUT: { readonly [field: string]: string } = {
  envFile: 'set its variables where the gateway is started, and name them under env',
  autoApprove: APPROVAL,
  alwaysAllow: APPROVAL,
  allowedTools: APPROVAL,
  trust: APPROVAL,
  sandbox: SANDBOX,
  sandboxEnabled: SANDBOX,
};

/** A sentence about a field that is not taken along. */
export function lostField(field: string): string {
  const about = Object.hasOwn(ABOUT, field)
    ? ABOUT[field]
    : 'it is unknown here; if it is for the client, set it again for the new entry';
  return `${JSON.stringify(field.slice(0, 80))} is left out: ${about}`;
}
