/** What can be written, and what the REST interface has against a body. */
import * as z from 'zod';
import { refusal } from './refusal.ts';
import type { Kind } from './store.ts';

const name = z.string().min(1, 'is empty').max(100, 'is too long');

/** The body that makes a thing. Every field can be changed later; what is not among them has a route of its own. */
export const BODIES: { readonly [K in Kind]: z.ZodObject } = {
  client: z.object({
    name,
    email: z.email('is not an email address').optional(),
    phone: z.string().max(32).optional(),
  }),
  agent: z.object({ name }),
  campaign: z.object({ name, agent_id: z.string() }),
  webhook: z.object({
    url: z.url({ protocol: /^https$/, error: 'must be an https address' }),
    events: z.array(z.enum(['client.created', 'campaign.launched'])).min(1, 'names no event'),
  }),
};

/** What a new thing has beside its body. */
export const BEGINNINGS: { readonly [K in Kind]: object } = {
  client: {},
  agent: { subagents: [] },
  campaign: { status: 'draft' },
  webhook: {},
};

/** The checked body; 400 with every flagged field otherwise. */
export function checkBody(schema: z.ZodObject, body: unknown): { [field: string]: unknown } {
  const { data, error } = schema.safeParse(body);
  if (error === undefined) return data;
  const errors = error.issues.map(({ path, message }) => ({ field: path.join('.'), message }));
  throw refusal(400, 'Invalid arguments', 'Fix the flagged fields.', { errors });
}
