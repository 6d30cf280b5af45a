/** The business operations, once: tools and REST both call these, so both fail in the same way. */
import type { DatabaseSync } from 'node:sqlite';
import { fault, type JsonObject } from '@mayday/core';
import { transaction } from '@mayday/reference-shared';
import * as z from 'zod';
import { checkGtin, isRestricted, requireGtin } from './gtin.ts';
import { digitalLink, qrImage } from './qr.ts';
import { resolve } from './resolver.ts';
import type { Caller } from './tokens.ts';

/** What an operation works with. */
interface Context {
  readonly store: DatabaseSync;
  readonly caller: Caller;
}

/** One business operation. */
export interface Operation {
  readonly description: string;
  readonly input: z.ZodObject;
  /** The scope that it takes; public, if absent. */
  readonly scope?: string;
  /** It has no way to fail: nobody is refused, nothing is counted. */
  readonly infallible?: true;
  readonly writes?: true;
  run(context: Context, args: never): JsonObject;
}

const gtin = z.string().max(64).describe('A GTIN-8, -12, -13 or -14');
const attribute = z
  .string()
  .regex(/^[\w.+/-]{1,20}$/, 'must be 1 to 20 letters, digits or . + / _ -')
  .optional();
const item = z.object({ gtin, serial: attribute, batch: attribute });

type ItemArgs = z.infer<typeof item>;

/** All operations, by name. */
export const OPERATIONS: { readonly [name: string]: Operation } = {
  ping: {
    description: 'Says pong.',
    input: z.object({}),
    infallible: true,
    run: () => ({ message: 'pong' }),
  },
  validate_gtin: {
    description: 'Says whether something is a GTIN, and gives it in 14 digits.',
    // Anything at all: what is no GTIN is told so in the payload.
    input: z.object({ gtin: z.unknown().optional().describe('Anything; GTINs have 8, 12, 13 or 14 digits') }),
    infallible: true,
    run: (_context, args: { gtin?: unknown }) => ({ ...checkGtin(args.gtin) }),
  },
  resolve_gtin: {
    description: 'Finds where a product’s link leads, by the most specific rule.',
    input: item,
    run({ store }, args: ItemArgs) {
      const known = { ...args, gtin: requireGtin(args.gtin) };
      const found = resolve(store, known);
      if (found === undefined) throw fault.notFound(`No product found for GTIN ${known.gtin}`);
      return { gtin: known.gtin, ...found };
    },
  },
  lookup_product: {
    description: 'Looks a product up. An unknown one is not an error.',
    input: z.object({ gtin }),
    run({ store }, args: { gtin: string }) {
      const normalized = requireGtin(args.gtin);
      const product = store.prepare('SELECT name, brand FROM products WHERE gtin = ?').get(normalized);
      return product === undefined
        ? { gtin: normalized, found: false }
        : { gtin: normalized, found: true, product: { ...product } as JsonObject };
    },
  },
  generate_qr_url: {
    description: 'Makes the QR code of a product’s link.',
    input: item,
    scope: 'qr:generate',
    run(_context, args: ItemArgs) {
      const link = digitalLink({ ...args, gtin: requireGtin(args.gtin) });
      return { url: link, qr_url: `data:image/png;base64,${qrImage(link).toString('base64')}` };
    },
  },
  claim_gtin: {
    description: 'Claims a GTIN for the token’s owner.',
    input: z.object({ gtin }),
    scope: 'gtin:claim',
    writes: true,
    run({ store, caller }, args: { gtin: string }) {
      const normalized = requireGtin(args.gtin);
      if (isRestricted(normalized))
        throw fault.unprocessable(
          `GTIN ${normalized} is of restricted circulation; nobody can claim it`,
          NOTHING,
        );
      return transaction(store, () => claim(store, normalized, caller.owner));
    },
  },
};

/** Nothing was written. */
const NOTHING = { executed: 'no' } as const;

function claim(store: DatabaseSync, normalized: string, owner: string): JsonObject {
  const held = store.prepare('SELECT owner, claimed_at FROM claims WHERE gtin = ?').get(normalized);
  if (held !== undefined && held['owner'] !== owner)
    throw fault.conflict(`GTIN ${normalized} is already claimed`, NOTHING);
  // Claiming twice is claiming once: a caller that lost the answer can ask again.
  if (held !== undefined) return { gtin: normalized, claimed_at: held['claimed_at'] as string };
  const claimedAt = new Date().toISOString();
  store.prepare('INSERT INTO claims VALUES (?, ?, ?)').run(normalized, owner, claimedAt);
  return { gtin: normalized, claimed_at: claimedAt };
}
