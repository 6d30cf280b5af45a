import { defineCollection } from 'astro:content';
import { docsLoader } from '@astrojs/starlight/loaders';
import { docsSchema } from '@astrojs/starlight/schema';

/** `scripts/site.ts` writes the pages there. */
export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };
