import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/**
 * The public surface, name by name. Adding one is a decision and changes this table; taking one away, or moving it, is
 * a breaking change. Types are in it too: they are read from the sources.
 */
// biome-ignore format: a table
const SURFACE: { readonly [path: string]: string } = {
  '.': 'DefinedFault Definition Dialect DialectId Executed Fault FaultError FaultInit Issue Json JsonObject KINDS KIND_NAMES Kind Language LanguageOptions Origin Reaction ReadOptions Reading Retry Subject ThrowOptions Translation WriteOptions causeOf createLanguage defineFault fault faultOf fromDocument isFault isKind language makeFault read saidExecuted saidRetryable toDocument write',
  './fault': 'Carried DefinedOptions FaultFactory FromOptions KindDefaults Native ORIGINS RetryWhen SUBJECT_TYPES isRetryable',
  './dialects': 'CodeRow DIALECTS Dialect DialectId Evidence Foreign Form FormContext Heard HttpWire JsonRpcWire KnownDialectId Placement ReadContext Wire WriteContext Written WrittenWire byCode errorResponse failureMarks isOfHttp look pickRow resultResponse statusOfCode textContent',
  './dialects/closient': 'classOf closient closientProblem closientWait',
  './dialects/erlmcp': 'ErlmcpCategory ErlmcpSeverity clientAdvice createErrorResponse erlmcp errorCategory errorSeverity userMessage validateErrorCode',
  './dialects/mayday': 'mayday',
  './dialects/mcp': 'mcp mcp20251125 mcp20260728 mcpDraft',
  './dialects/onx': 'AdapterError AdapterErrorOptions OnxCategory category onx rangeCategory',
  './dialects/platica': 'platica restError',
  './dialects/problem': 'TYPE_BASE problem',
  './dialects/qaqnuz': 'CallWithRetryOptions TEXTS ToolCaller ToolResult callWithRetry classify envelopeFor qaqnuz retryDelay sanitize',
  './dialects/tool-failure': 'toolFailure',
  './forms': 'formOf inForm negotiated saidKind toldByTool toldIn withDoubt',
  './compact': 'CompactLanguage CompactOptions createLanguage lookAtHttp mayday problem',
  './catalog': 'ApplicationDefinition Break Catalogue CatalogueCode CatalogueKind CatalogueOptions CatalogueSource CodeRange CodeSource Found KindPage Lock LockedCode WithDefinition buildCatalogue checkLock codesOf happenedBy isLock lockOf lookUp rangeOf sourceOf termsOf',
  './http': 'STATUSES credentialsIn deniesSession endpointGone inOneLine isCredential isMoveAlone isPage isUnderPlaceholder kindOfStatus mayDenySession pageText parseRetryAfter saysUnopened statusOfKind toSeconds unclearIn',
  './names': 'editDistance nearest nearestNames',
  './plan': 'CallMeta PLAN_DEFAULTS Plan PlanHistory PlanLimits PlanOptions PlanRule PlannedCall RetryIf Safety isEndOfTask isRead isRepeatable plan planLimits readCallMeta safetyOf writeCallMeta',
  './prose': 'Weighed asksForPatience foreign isRefusal namesTwice predicateOf readDisguised readUnstructured saysNo weigh',
  './prose/compact': 'foreign readUnstructured',
  './protocol': 'ATTEMPT_KEY CALL_KEY CLIENT_CAPABILITIES_KEY CLIENT_INFO_KEY Concern DEADLINE_KEY DIALECT_KEY ERROR_KEY EVENT_START EXECUTED_KEY FAULT_KEY HANDSHAKES HTTP_KEY IDEMPOTENCY_KEY LEFT_OUT_KEY LOG_LEVEL_KEY PROBLEM_KEY PROTOCOL_VERSION_KEY RELATED_TASK_KEY REVISIONS Revision SERVER_INFO_KEY SESSION_REVISION STATELESS_REVISION SUBSCRIPTION_KEY TOOL_FAILURE_KEY UNAVAILABLE_KEY badMeta concernOf dataBegun isAboutConnection isCutOff isOfNoRequest isOfStream isTellingName isUnserved mayTellOfOthers tellsBeside tellsInLine toldIn undeclaredFor',
  './redact': 'BytesOptions Clean Finding Mend NamedSecret RedactOptions RedactStream Redaction Redactor Rule RuleProblem SecretFinder SecretPlace ToldSecret addressRedactor beginningOf checkRule clauseBefore createRedactor createSecretFinder hidingTold isAskedToOpen isCredentialName isNamedToOpen isPageToOpen leadsToFailed mendTasks namedSecrets namesSecret redact redactBytes redactFault sentCredentials tellsOfFailure toldSecrets withCleanEnd withPeople withPlaces withTaskNames',
  './redact/compact': 'Finding Redaction redact redactFault redactFaultSecrets redactSecrets',
  './render': 'CAUTION adviceFor calmed cautioned fieldsIn forDeveloper forModel forOperator namesIt partlyDone tellsOfDone untold warned',
};

const home = new URL('../', import.meta.url);
const { exports } = JSON.parse(readFileSync(new URL('package.json', home), 'utf8')) as {
  readonly exports: { readonly [path: string]: { readonly [condition: string]: string } | string };
};

/** The names that a module exports, types among them. */
function namesIn(file: URL): string[] {
  const source = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  const listed = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) =>
    list
      .split(',')
      .map((name) =>
        name
          .trim()
          .replace(/^type /, '')
          .replace(/^.* as /, ''),
      )
      .filter((name) => name !== ''),
  );
  const declared = [
    ...source.matchAll(/^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm),
  ].map(([, name = '']) => name);
  const passed = [...source.matchAll(/^export \* from '([^']+)'/gm)].flatMap(([, from = '']) =>
    namesIn(new URL(from, file)),
  );
  return [...new Set([...listed, ...declared, ...passed])].sort();
}

describe('the public surface', () => {
  const paths = Object.keys(exports).filter((path) => path !== './package.json');

  it('has these paths', () => {
    expect(paths.sort()).toEqual(Object.keys(SURFACE).sort());
  });

  it.each(Object.entries(SURFACE))('%s exports these names', async (path, names) => {
    const target = exports[path] as { readonly [condition: string]: string };
    const source = target['@mayday/source'] as string;
    expect(namesIn(new URL(source, home)).join(' ')).toBe(names);
    const values = Object.keys(await import(new URL(source, home).href));
    expect(values.filter((name) => !names.split(' ').includes(name))).toEqual([]);
    const [built, forNode] = ['./dist/', './dist/node/'].map((folder) =>
      source.replace('./src/', folder).replace(/\.ts$/, ''),
    );
    expect(target).toEqual({
      '@mayday/source': source,
      types: `${built}.d.ts`,
      node: `${forNode}.js`,
      default: `${built}.js`,
    });
  });

  it('keeps the root small', () => {
    expect((SURFACE['.'] as string).split(' ').length).toBeLessThanOrEqual(40);
  });
});
