/** The tools of the platform: what each needs, and what it does for a brand. */
import { fault, type Json } from '@mayday/core';
import { z } from 'zod';
import type { StockOf } from './provider.ts';
import type { Store } from './store/index.ts';
import { brandOf } from './store/keys.ts';

/** What a tool gets beside its arguments. */
export interface ToolContext {
  readonly store: Store;
  readonly stockOf: StockOf;
  /** `brand/key` */
  readonly principal: string;
  readonly signal: AbortSignal;
}

/** A tool. */
export interface Tool<S extends z.ZodObject = z.ZodObject> {
  /** Begins with its stability. */
  readonly description: string;
  /** `<resource>.<action>` */
  readonly scope: string;
  readonly input: S;
  /** `sensitive` tools are for people at the platform: no key reaches them. */
  readonly reach?: 'disabled' | 'sensitive';
  /** A person must consent to each call. Such a tool changes the store and nothing else. */
  readonly governed?: boolean;
  run(args: z.infer<S>, context: ToolContext): Json | Promise<Json>;
}

function defineTool<S extends z.ZodObject>(tool: Tool<S>): Tool {
  return tool as unknown as Tool;
}

/** All tools by name. */
export const TOOLS: { readonly [name: string]: Tool } = {
  find_contacts: defineTool({
    description: '[stable] Finds contacts by a part of their name.',
    scope: 'contacts.read',
    input: z.strictObject({ name: z.string().min(1).max(100) }),
    run: ({ name }, { store, principal }) => [...store.contacts.search(brandOf(principal), name)].map(asJson),
  }),
  get_contact: defineTool({
    description: '[stable] Gets a contact.',
    scope: 'contacts.read',
    input: z.strictObject({ id: z.string() }),
    run({ id }, { store, principal }) {
      const contact = store.contacts.get(brandOf(principal), id);
      if (contact === undefined) throw fault.notFound('There is no such contact');
      return asJson(contact);
    },
  }),
  add_contact: defineTool({
    description: '[stable] Adds a contact.',
    scope: 'contacts.write',
    input: z.strictObject({ name: z.string().min(1).max(100), email: z.email().optional() }),
    run: (contact, { store, principal }) => asJson(store.contacts.add(brandOf(principal), contact)),
  }),
  check_stock: defineTool({
    description: '[beta] Asks the provider how many pieces of a product there are.',
    scope: 'stock.read',
    input: z.strictObject({ sku: z.string().min(1).max(64) }),
    run: async ({ sku }, { stockOf, signal }) => ({ sku, pieces: await stockOf(sku, signal) }),
  }),
  issue_refund: defineTool({
    description: '[stable] Refunds an order. A person must approve each refund.',
    scope: 'payments.refund',
    governed: true,
    input: z.strictObject({ order: z.string().min(1).max(64), amount_cents: z.int().positive() }),
    run({ order, amount_cents }, { store, principal }) {
      const brand = brandOf(principal);
      const found = store.orders.get(brand, order);
      if (found === undefined) throw fault.notFound('There is no such order');
      if (found.refundedCents !== undefined) throw fault.conflict('The order was refunded before');
      if (amount_cents > found.paidCents)
        throw fault.conflict('The refund is more than was paid for the order');
      store.orders.refund(brand, order, amount_cents);
      return { order, amount_cents, refunded: true };
    },
  }),
  export_contacts: defineTool({
    description: '[deprecated] Exports all contacts.',
    scope: 'contacts.export',
    reach: 'disabled',
    input: z.strictObject({}),
    run: () => ({}),
  }),
  impersonate_user: defineTool({
    description: '[stable] Acts as a user. For people at the platform.',
    scope: 'users.impersonate',
    reach: 'sensitive',
    input: z.strictObject({ user: z.string() }),
    run: () => ({}),
  }),
};

/** May a key with these scopes reach a tool? */
export function isReachable(tool: Tool, scopes: readonly string[]): boolean {
  return tool.reach === undefined && scopes.includes(tool.scope);
}

function asJson(contact: {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
}): Json {
  return { ...contact };
}
