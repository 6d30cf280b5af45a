/** One tool for each REST endpoint. */
import * as z from 'zod';

/** A tool, and the endpoint behind it. */
export interface Tool {
  readonly description: string;
  readonly method: string;
  /** `:id` is an argument; so is everything else, in the body or the query. */
  readonly path: string;
  readonly input: z.ZodObject;
}

const id = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[\w-]+$/, 'must be letters, digits, _ or -');
const workspace = z.string().optional().describe('Which workspace, if the key opens several');
const name = z.string();

/** All tools, by name. */
export const TOOLS: { readonly [name: string]: Tool } = {
  list_clients: tool('GET', '/clients', 'Lists the clients of a workspace.'),
  get_client: tool('GET', '/clients/:id', 'Finds a client.', { id }),
  create_client: tool('POST', '/clients', 'Adds a client.', {
    name,
    email: z.string().optional(),
    phone: z.string().optional(),
  }),
  update_client: tool('PATCH', '/clients/:id', 'Changes a client.', {
    id,
    name: name.optional(),
    email: z.string().optional(),
    phone: z.string().optional(),
  }),
  delete_client: tool('DELETE', '/clients/:id', 'Deletes a client.', { id }),
  list_agents: tool('GET', '/agents', 'Lists the agents of a workspace.'),
  get_agent: tool('GET', '/agents/:id', 'Finds an agent.', { id }),
  create_agent: tool('POST', '/agents', 'Adds an agent.', { name }),
  connect_agent_subagent: tool('POST', '/agents/:id/subagents', 'Puts an agent under another one.', {
    id,
    subagent_id: id,
  }),
  list_campaigns: tool('GET', '/campaigns', 'Lists the campaigns of a workspace.'),
  get_campaign: tool('GET', '/campaigns/:id', 'Finds a campaign.', { id }),
  create_campaign: tool('POST', '/campaigns', 'Drafts a campaign.', { name, agent_id: id }),
  launch_campaign: tool('POST', '/campaigns/:id/launch', 'Launches a campaign.', { id }),
  list_webhooks: tool('GET', '/webhooks', 'Lists the webhooks of a workspace.'),
  create_webhook: tool('POST', '/webhooks', 'Adds a webhook.', {
    url: z.string(),
    events: z.array(z.string()),
  }),
  delete_webhook: tool('DELETE', '/webhooks/:id', 'Deletes a webhook.', { id }),
};

function tool(method: string, path: string, description: string, shape: z.ZodRawShape = {}): Tool {
  return { description, method, path, input: z.strictObject({ ...shape, workspace }) };
}
