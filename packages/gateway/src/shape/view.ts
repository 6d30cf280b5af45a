/** What an endpoint of several upstreams serves, and under which names. */
import type { LearnedNames, Owned } from '../joined/learned-names.ts';
import { createNames, type Names } from '../joined/names.ts';
import { fitsAny } from '../patterns.ts';
import type { VirtualSettings } from '../settings/settings.ts';
import type { Shape } from './shape.ts';
import { otherName } from './tool-name.ts';

/** The names of one kind of things; `Owned.name` is the name that the upstream has. */
interface SeenNames {
  /** The name under which callers know it here; `undefined` where they do not. */
  join(upstream: string, own: string): string | undefined;
  /** What callers know by this name here; `undefined` where there is nothing. */
  split(name: string): Owned | undefined;
  /** What they may have known by this name, whether they still do or not. */
  formerly(name: string): Owned | undefined;
  /** Is it such a name that only a list can tell what it stands for? */
  isToBeListed(name: string): boolean;
  /** Are there things of this upstream that callers do not know here, or not by the upstream's name? */
  hides(upstream: string): boolean;
}

/** What an endpoint serves. */
export interface View {
  readonly tool: SeenNames;
  readonly prompt: SeenNames;
  /** What callers read about a tool here, in place of what its server says. */
  description(upstream: string, own: string): string | undefined;
  /** It has tools, and nothing else. */
  readonly hasToolsOnly: boolean;
  /** Does every name begin with that of its upstream? */
  readonly arePrefixed: boolean;
  /** What only lists could tell about names, for the view that takes the place of this one. */
  learned(): Learned;
}

interface Learned {
  readonly separator: string;
  readonly tool: LearnedNames;
  readonly prompt: LearnedNames;
}

/** Whose tools are there to be seen, by name of the upstream. */
export type Shapes = ReadonlyMap<string, { readonly shape: Shape }>;

/** Everything that the upstreams show, prefixed. `before`: what it takes the place of, whose names go on. */
export function createJoinedView(
  upstreams: Shapes,
  separator: string,
  before?: View,
  isNamed: (upstream: string, own: string) => boolean = () => true,
): View {
  const names = [...upstreams.keys()];
  const was = before?.learned();
  const learned = was?.separator === separator ? was : undefined;
  const isShown = ({ upstream, name }: Owned): boolean => {
    const own = upstreams.get(upstream)?.shape.own(name);
    return own !== undefined && isNamed(upstream, own);
  };
  const shown = learned && new Map([...learned.tool].filter(([, owned]) => isShown(owned)));
  const tools = createNames(names, separator, { areSafe: true, learned: shown });
  const prompts = createNames(names, separator, { learned: learned?.prompt });
  return {
    tool: shaped(upstreams, tools),
    prompt: { ...prompts, formerly: prompts.split, hides: () => false },
    description: (upstream, own) => upstreams.get(upstream)?.shape.description(own),
    hasToolsOnly: false,
    arePrefixed: separator !== '',
    learned: () => ({ separator, tool: tools.learned(), prompt: prompts.learned() }),
  };
}

/** The tools of upstreams as these show them. */
function shaped(upstreams: Shapes, names: Names): SeenNames {
  return {
    join(upstream, own) {
      const shown = upstreams.get(upstream)?.shape.shown(own);
      return shown === undefined ? undefined : names.join(upstream, shown);
    },
    split(name) {
      const owned = names.split(name);
      const own = owned && upstreams.get(owned.upstream)?.shape.own(owned.name);
      return own === undefined ? undefined : { upstream: owned?.upstream ?? '', name: own };
    },
    formerly: names.split,
    isToBeListed: names.isToBeListed,
    hides: (upstream) => upstreams.get(upstream)?.shape.hides === true,
  };
}

/** The selection of a virtual server. */
export function createVirtualView(
  upstreams: Shapes,
  settings: Omit<VirtualSettings, 'name'>,
  before?: View,
): View {
  const { tools, deny, rename, descriptions, separator } = settings;
  const isSelected = fitsAny(tools);
  const isDenied = fitsAny(deny);
  const isServed = (upstream: string, own: string): boolean => {
    const whole = `${upstream}/${own}`;
    return isSelected(whole) && !isDenied(whole) && upstreams.get(upstream)?.shape.shown(own) !== undefined;
  };
  const isNamed = (upstream: string, own: string): boolean =>
    isServed(upstream, own) && !Object.hasOwn(rename, `${upstream}/${own}`);
  const all = createJoinedView(upstreams, separator, before, isNamed);
  return {
    tool: selected(all.tool, isServed, rename),
    prompt: NOTHING,
    description: (upstream, own) =>
      Object.hasOwn(descriptions, `${upstream}/${own}`)
        ? descriptions[`${upstream}/${own}`]
        : all.description(upstream, own),
    hasToolsOnly: true,
    arePrefixed: all.arePrefixed && Object.keys(rename).length === 0,
    learned: all.learned,
  };
}

const NOTHING: SeenNames = {
  join: () => undefined,
  split: () => undefined,
  formerly: () => undefined,
  isToBeListed: () => false,
  hides: () => false,
};

/** Of these names those that are served, and other ones where they are renamed. */
function selected(
  all: SeenNames,
  isServed: (upstream: string, own: string) => boolean,
  rename: VirtualSettings['rename'],
): SeenNames {
  const renamed = Object.entries(rename).filter(([whole]) => isServed(...partsOf(whole)));
  const names = new Map(renamed);
  const owners = new Map(renamed.map(([whole, name]) => [name, whole]));
  /** A tool whose name was given to another gets one of its own. */
  const others = new Map(renamed.map(([, name]) => [otherName(name), name]));
  const nameOf = (upstream: string, own: string): string | undefined => {
    const given = names.get(`${upstream}/${own}`);
    const name = given ?? all.join(upstream, own);
    return name !== undefined && given === undefined && owners.has(name) ? otherName(name) : name;
  };
  const ownerOf = (name: string): Owned | undefined => {
    const whole = owners.get(name);
    if (whole !== undefined) {
      const [upstream, own] = partsOf(whole);
      return { upstream, name: own };
    }
    return all.split(others.get(name) ?? name);
  };
  return {
    join: (upstream, own) => (isServed(upstream, own) ? nameOf(upstream, own) : undefined),
    split(name) {
      const owned = ownerOf(name);
      if (owned === undefined || !isServed(owned.upstream, owned.name)) return undefined;
      // A tool that has another name here is not known by its old one.
      const given = names.get(`${owned.upstream}/${owned.name}`);
      return given === undefined || given === name ? owned : undefined;
    },
    formerly: (name) => all.formerly(name),
    isToBeListed: (name) => !owners.has(name) && all.isToBeListed(others.get(name) ?? name),
    hides: () => true,
  };
}

/** `upstream/name`, taken apart. */
function partsOf(whole: string): [upstream: string, own: string] {
  const slash = whole.indexOf('/');
  return [whole.slice(0, slash), whole.slice(slash + 1)];
}
