/** `initialize`: versions and capabilities are agreed on, or not. */
import type { Members } from '@mayday/server/rpc';
import { cut, raise } from '../errors.ts';
import { isMembers, requireString } from '../params.ts';
import type { Method } from './method.ts';

/** The protocol versions that the server speaks, newest first. */
const VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18'];

const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: {},
  completions: {},
  tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
  experimental: { 'erlmcp/task-watch': {}, 'erlmcp/progress': {}, 'erlmcp/auth': {} },
};

/** What the server may ask of a client that has it; nothing else that a client says of itself is kept. */
const ASKED: readonly string[] = ['sampling', 'elicitation'];

/** The first request of a session. */
export const initialize: Method = (params, { session }) => {
  if (session.phase !== 'pre_initialization') throw raise('invalid_request', 'Already initialized');
  const version = requireString(params, 'protocolVersion');
  if (!VERSIONS.includes(version))
    throw raise('unsupported_protocol_version', {
      requested_version: cut(version),
      supported_versions: [...VERSIONS],
    });
  const capabilities = negotiate(params['capabilities']);
  checkClientInfo(params['clientInfo']);
  session.clientCapabilities = Object.fromEntries(
    ASKED.flatMap((name) => (name in capabilities ? [[name, {}]] : [])),
  );
  session.version = version;
  session.phase = 'awaiting_initialized';
  const serverInfo = { name: 'erlmcp-reference', version: '0.1.0' };
  return { protocolVersion: version, capabilities: CAPABILITIES, serverInfo };
};

/** Capabilities are objects by name: nothing can be agreed on with a client that sends anything else. */
function negotiate(capabilities: unknown): Members {
  if (!isMembers(capabilities))
    throw raise('capability_negotiation_failed', { reason: 'capabilities_not_an_object' });
  for (const [name, value] of Object.entries(capabilities))
    if (!isMembers(value))
      throw raise('capability_negotiation_failed', { reason: `not_an_object: ${cut(name)}` });
  return capabilities;
}

function checkClientInfo(info: unknown): void {
  if (!isMembers(info)) throw raise('invalid_params', { details: 'Missing required parameter: clientInfo' });
  if (info['name'] === '')
    throw raise('validation_failed', { field: 'clientInfo.name', constraint: 'not_empty' });
}

/** Answers at once, at any time. */
export const ping: Method = () => ({});
