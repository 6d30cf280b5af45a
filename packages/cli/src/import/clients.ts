/** The clients whose files can be imported: where each keeps its servers, and what it writes in its own way. */

/** Where a path of the table starts. */
export type Base =
  | 'home'
  /** Where programs keep what belongs to a user: `~/Library/Application Support`, `%APPDATA%`, `~/.config`. */
  | 'application'
  /** `~/.config`, also on macOS. */
  | 'config'
  /** The folder of a project. */
  | 'project';

/** A file of a client. */
export interface Place {
  readonly base: Base;
  /** With slashes on every platform. */
  readonly path: string;
  readonly on?: readonly NodeJS.Platform[];
}

/** How long a client waits for a server that it calls. */
export interface TimeLimit {
  readonly unit: 'ms' | 's';
  /** What holds where an entry says nothing, in that unit. */
  readonly usual: number;
}

/** A program that starts MCP servers. */
export interface Client {
  /** What is typed. */
  readonly id: string;
  readonly title: string;
  /** The user's own files first. */
  readonly places: readonly Place[];
  /** What makes an entry stay without being used; entries are removed where there is nothing like it. */
  readonly off?: { readonly disabled: true } | { readonly enabled: false };
  /** How `timeout` of an entry is said. */
  readonly timeout?: TimeLimit;
  /** `$NAME` and `%NAME%` are references wherever they are. */
  readonly bareReferences?: true;
  /** What an entry of it cannot be without. */
  readonly entry?: { readonly [field: string]: unknown };
  /** Its servers see its whole environment, and not only what they are given. */
  readonly passesEnvironment?: true;
  /** A `url` without a type is a server over legacy SSE. */
  readonly urlIsSse?: true;
}

const home = (path: string): Place => ({ base: 'home', path });
const application = (path: string): Place => ({ base: 'application', path });
const project = (path: string): Place => ({ base: 'project', path });

const EXTENSIONS = 'Code/User/globalStorage';

/** As their documentation has it; a project's file is looked for in the current folder. */
export const CLIENTS: readonly Client[] = [
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    places: [application('Claude/claude_desktop_config.json')],
  },
  {
    id: 'claude-code',
    title: 'Claude Code',
    places: [home('.claude.json'), project('.mcp.json')],
    timeout: { unit: 'ms', usual: 100_000_000 },
    passesEnvironment: true,
  },
  { id: 'cursor', title: 'Cursor', places: [home('.cursor/mcp.json'), project('.cursor/mcp.json')] },
  {
    id: 'vscode',
    title: 'VS Code',
    places: [
      application('Code/User/mcp.json'),
      project('.vscode/mcp.json'),
      application('Code/User/settings.json'),
      project('.vscode/settings.json'),
    ],
    passesEnvironment: true,
  },
  {
    id: 'windsurf',
    title: 'Windsurf',
    places: [home('.codeium/windsurf/mcp_config.json'), home('.codeium/mcp_config.json')],
    off: { disabled: true },
  },
  {
    id: 'zed',
    title: 'Zed',
    places: [
      { base: 'config', path: 'zed/settings.json', on: ['darwin', 'linux'] },
      { base: 'application', path: 'Zed/settings.json', on: ['win32'] },
      project('.zed/settings.json'),
    ],
    off: { enabled: false },
  },
  {
    id: 'cline',
    title: 'Cline',
    places: [
      application(`${EXTENSIONS}/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`),
      home('.cline/data/settings/cline_mcp_settings.json'),
    ],
    off: { disabled: true },
    timeout: { unit: 's', usual: 60 },
  },
  {
    id: 'roo-code',
    title: 'Roo Code',
    places: [
      application(`${EXTENSIONS}/rooveterinaryinc.roo-cline/settings/mcp_settings.json`),
      project('.roo/mcp.json'),
    ],
    off: { disabled: true },
    timeout: { unit: 's', usual: 60 },
  },
  {
    id: 'gemini-cli',
    title: 'Gemini CLI',
    places: [home('.gemini/settings.json'), project('.gemini/settings.json')],
    timeout: { unit: 'ms', usual: 600_000 },
    bareReferences: true,
    passesEnvironment: true,
    urlIsSse: true,
  },
  {
    id: 'lm-studio',
    title: 'LM Studio',
    places: [home('.lmstudio/mcp.json'), home('.cache/lm-studio/mcp.json')],
  },
  {
    id: 'continue',
    title: 'Continue',
    places: [
      home('.continue/config.yaml'),
      home('.continue/config.json'),
      project('.continue/mcpServers/mcp.json'),
    ],
  },
  {
    id: 'amazon-q',
    title: 'Amazon Q Developer',
    places: [
      home('.aws/amazonq/mcp.json'),
      home('.aws/amazonq/default.json'),
      home('.aws/amazonq/agents/default.json'),
      project('.amazonq/mcp.json'),
      project('.amazonq/default.json'),
    ],
    off: { disabled: true },
    timeout: { unit: 'ms', usual: 120_000 },
  },
  {
    id: 'junie',
    title: 'JetBrains Junie',
    places: [home('.junie/mcp/mcp.json'), project('.junie/mcp/mcp.json')],
  },
  {
    id: 'copilot-cli',
    title: 'Copilot CLI',
    places: [home('.copilot/mcp-config.json')],
    entry: { type: 'local', tools: ['*'] },
    timeout: { unit: 'ms', usual: 60_000 },
  },
];
