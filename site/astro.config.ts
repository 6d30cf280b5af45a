import { satteri } from '@astrojs/markdown-satteri';
import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';
import groups from './src/sidebar.json' with { type: 'json' };

/** Long lists, which most readers reach by search or by a link. */
const FOLDED: readonly string[] = ['Faults, a page each', 'Dialects, a page each', 'Commands, a page each'];

export default defineConfig({
  site: 'https://mayday.dev',
  // `--stdio` in a sentence has two hyphens.
  markdown: { processor: satteri({ features: { smartPunctuation: false } }) },
  integrations: [
    starlight({
      title: 'Mayday',
      description: 'One error language for the Model Context Protocol',
      favicon: '/favicon.svg',
      social: [{ icon: 'github', label: 'GitHub', href: 'https://github.com/mayday-dev/mayday' }],
      // What is typed and what is printed may be long; code keeps its lines.
      expressiveCode: { defaultProps: { overridesByLang: { 'text,sh,console': { wrap: true } } } },
      customCss: ['./src/styles/site.css'],
      head: [
        {
          tag: 'link',
          attrs: { rel: 'alternate', type: 'text/plain', href: '/llms.txt', title: 'llms.txt' },
        },
      ],
      sidebar: groups.map(({ label, slugs }) => ({ label, collapsed: FOLDED.includes(label), items: slugs })),
      tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
    }),
  ],
});
