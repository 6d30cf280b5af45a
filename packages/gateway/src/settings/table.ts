/**
 * Every setting of the gateway, once: its name in the file, its default, its bounds, what it is for, and whether
 * a reload is enough. Types, checks, the JSON Schema for editors and the table in the docs all come from here.
 */
import { KIND_NAMES, type Kind } from '@mayday/core';

/** The settings beside `upstreams`. */
export const GENERAL = {
  listen: {
    about: 'Where callers find the gateway.',
    reload: 'restart',
    group: {
      host: { type: 'text', default: '127.0.0.1', about: 'The address to listen on.' },
      port: {
        type: 'count',
        default: 7350,
        min: 0,
        max: 65_535,
        about: 'The port; 0 takes any that is free.',
      },
      allowed_hosts: {
        type: 'hosts',
        default: [],
        about:
          'Names that a `Host` header may carry beside the loopback ones, at any port, or at one (`mcp.example.com:8443`); `*` allows all. Each is compared whole.',
      },
      allowed_origins: {
        type: 'web_origins',
        default: [],
        about:
          'Origins of web pages that may call, and read the answers, beside those on loopback (`https://app.example.com`); `*` allows all. Each is compared whole, in small letters and without the usual port, however it is written. Browsers are told so at MCP endpoints, and never to send cookies.',
      },
      certificate: {
        type: 'path',
        optional: true,
        about:
          'A file in PEM: the certificate and those that vouch for it. With it HTTPS (TLS) is spoken, and nothing else.',
      },
      certificate_key: {
        type: 'path',
        optional: true,
        about: 'A file in PEM: the private key of the certificate.',
      },
    },
  },
  workers: {
    type: 'count',
    default: 1,
    min: 1,
    max: 64,
    reload: 'restart',
    about:
      'Processes behind the port, see [workers](gateway.md#workers); `mayday gateway --workers N` says the same, and wins.',
  },
  dialect: { type: 'dialect', default: 'mayday', about: 'The dialect of callers who ask for none.' },
  keys: {
    about:
      'Callers. With at least one, a call needs `Authorization: Bearer <key>`, and that header stays here.',
    list: {
      name: { type: 'text', required: true, about: 'Who it is, for the operator.' },
      key: { type: 'secret', required: true, about: 'What the caller sends: 8 or more visible characters.' },
      role: {
        type: 'choice',
        of: ['caller', 'operator'],
        default: 'caller',
        about: 'An operator reads the status and the faults too, and uses the [admin API](admin.md).',
      },
      dialect: { type: 'dialect', optional: true, about: 'The dialect of this caller.' },
      upstreams: {
        type: 'names',
        optional: true,
        about: 'Only these, upstreams and virtual servers; all, and `/mcp`, if absent.',
      },
      tenant: { type: 'text', optional: true, about: 'Whom it belongs to, for rules.' },
      scopes: { type: 'names', default: [], about: 'What it may do, for rules.' },
    },
  },
  oauth: {
    about: 'Callers with access tokens, beside those with keys; see [OAuth](oauth.md).',
    group: {
      resource: {
        type: 'url',
        optional: true,
        about:
          'The address of the gateway as callers see it, without `/mcp`. A token is for it, or for one of its endpoints.',
      },
      scopes: {
        type: 'names',
        default: [],
        about: 'What every token needs to have; whoever comes without one is told.',
      },
      clock_tolerance_ms: {
        type: 'ms',
        default: 30_000,
        about: 'How far the clock of an issuer may be off; at most five minutes.',
      },
      issuers: {
        about: 'Whose tokens are good. With at least one, a call needs a token or a key, which stays here.',
        list: {
          name: {
            type: 'text',
            required: true,
            about: 'Stands before the names of its callers: `login` makes them `login:ann`.',
          },
          issuer: { type: 'text', required: true, about: 'What `iss` of its tokens is, to the letter.' },
          jwks_url: {
            type: 'text',
            optional: true,
            about: 'Where its keys are; found out from the issuer if absent.',
          },
          audiences: {
            type: 'names',
            optional: true,
            about: 'What `aud` of its tokens may be, in place of the resource and its endpoints.',
          },
          algorithms: {
            type: 'choices',
            of: [
              'RS256',
              'RS384',
              'RS512',
              'PS256',
              'PS384',
              'PS512',
              'ES256',
              'ES384',
              'ES512',
              'EdDSA',
              'Ed25519',
            ],
            default: ['RS256', 'PS256', 'ES256', 'EdDSA'],
            about: 'How its tokens may be signed.',
          },
          principal_claim: { type: 'text', default: 'sub', about: 'The claim that says who it is.' },
          tenant_claim: {
            type: 'text',
            optional: true,
            about: 'The claim that says whom it belongs to; a token without it is refused then.',
          },
          scopes_claim: { type: 'text', default: 'scope', about: 'The claim that says what it may do.' },
          operator_scope: {
            type: 'text',
            optional: true,
            about:
              'Whoever has this scope, in a token for the whole gateway, is an operator too: reads the status and the faults, and uses the [admin API](admin.md). Nobody with a token is, if absent.',
          },
        },
      },
    },
  },
  access: {
    about: 'Who may use what.',
    group: {
      default: {
        type: 'choice',
        of: ['allow', 'deny'],
        default: 'allow',
        about: 'What becomes of calls that no rule fits.',
      },
      without_key: {
        type: 'choice',
        of: ['allow', 'refuse'],
        default: 'allow',
        about:
          'What becomes of callers without a key or a token while there are none to ask for. `refuse` keeps everybody out until a key is made, and when the store of the keys was lost.',
      },
      refusals: {
        type: 'choice',
        of: ['explicit', 'opaque'],
        default: 'explicit',
        about:
          'Whether a refusal says why: `opaque` says the same of what is denied and of what does not exist.',
      },
      rules: {
        about:
          'Looked at from top to bottom, the first that fits decides. Each has one of `deny`, `allow` and `approve`; see [policy](policy.md).',
        list: {
          deny: { type: 'names', optional: true, about: 'Refuses these: patterns of `upstream/name`.' },
          allow: { type: 'names', optional: true, about: 'Lets these through.' },
          approve: { type: 'names', optional: true, about: 'Has a person consent to each call of these.' },
          callers: { type: 'names', optional: true, about: 'Only for these callers: patterns of names.' },
          tenants: { type: 'names', optional: true, about: 'Only for callers of these tenants: patterns.' },
          scopes: { type: 'names', optional: true, about: 'What a caller needs to have, all of it.' },
          ttl_ms: {
            type: 'ms',
            optional: true,
            min: 1,
            about: 'How long a request waits for a person, and a consent for its call; an hour if absent.',
          },
        },
      },
    },
  },
  joined: {
    about: 'The endpoint `/mcp`, where all upstreams are one server.',
    group: {
      enabled: { type: 'flag', default: true, about: 'Whether all upstreams are served together at `/mcp`.' },
      separator: {
        type: 'choice',
        of: ['_', '__', '-', '.', '/', ''],
        default: '_',
        about: 'Between the name of an upstream and a name of its own; empty leaves names as they are.',
      },
      part_timeout_ms: {
        type: 'ms',
        default: 2000,
        min: 1,
        about:
          'An upstream that takes longer, or is not started in this time, is missing from what is asked of all, and not waited for again until it answers.',
      },
      start_timeout_ms: {
        type: 'ms',
        optional: true,
        min: 1,
        about:
          "How long a client's first lists wait for upstreams that are still starting, counted from when it came; as long as `part_timeout_ms` if absent, and 8000 over `--stdio`.",
      },
      discovery: {
        type: 'choice',
        of: ['full', 'lazy'],
        default: 'full',
        about: 'What is listed at `/mcp`: all tools, or three that find, describe and call them.',
      },
    },
  },
  limits: {
    about: 'What is too much.',
    group: {
      body_bytes: { type: 'bytes', default: 16_777_216, about: 'The largest request.' },
      caller_bytes: {
        type: 'bytes',
        default: 134_217_728,
        about:
          'What one caller may hold, all together: requests until they are answered, also those that go on without their caller, and streams that stand, 16 KiB each beside their bodies, answers that come in, answers that it does not read, and what its sessions keep, which has half of it. Beyond, its requests are refused (429) unless it holds no other, servers over HTTP are held back, and of the answers that come all the same and are not read the oldest is cut. For a new session the one of its own that was not used for longest makes room, and the others keep less of what they have sent.',
      },
      message_bytes: { type: 'bytes', default: 67_108_864, about: 'The largest answer.' },
      depth: {
        type: 'count',
        default: 256,
        min: 16,
        max: 2000,
        about: 'How deep the JSON of a request may be nested. Answers cross as they came, up to 1000.',
      },
      text_bytes: { type: 'bytes', default: 262_144, about: 'The longest text of a failing answer.' },
      rates: {
        about: 'How many calls of tools, prompts and resources may be made in a time; a call has to fit all.',
        list: {
          calls: { type: 'count', required: true, min: 1, max: 1_000_000_000, about: 'So many calls.' },
          per_ms: { type: 'ms', required: true, min: 1, about: 'In this time.' },
          by: {
            type: 'choices',
            of: ['caller', 'tenant', 'upstream', 'tool'],
            default: [],
            about: 'Each combination of these is counted apart; all calls together if empty.',
          },
          tools: {
            type: 'names',
            optional: true,
            about: 'Only what one of these patterns fits, of `upstream/name`; everything if absent.',
          },
          algorithm: {
            type: 'choice',
            of: ['window', 'bucket'],
            default: 'window',
            about:
              '`window` allows so many in any span of this length, `bucket` holds so many and fills evenly.',
          },
          costs: {
            type: 'counts',
            default: {},
            min: 1,
            max: 1_000_000_000,
            about: 'What counts for more than one call, by pattern; the first that fits.',
          },
        },
      },
      concurrency: {
        about: 'How many calls may be under way at a time; a call has to fit all.',
        list: {
          calls: { type: 'count', required: true, min: 1, max: 1_000_000_000, about: 'So many calls.' },
          by: {
            type: 'choices',
            of: ['caller', 'tenant', 'upstream', 'tool'],
            default: [],
            about: 'Each combination of these is counted apart; all calls together if empty.',
          },
          tools: {
            type: 'names',
            optional: true,
            about: 'Only what one of these patterns fits, of `upstream/name`; everything if absent.',
          },
        },
      },
    },
  },
  sessions: {
    about: 'Sessions of the 2025 era; a server behind a URL that can keeps and limits its own.',
    group: {
      idle_ms: {
        type: 'ms',
        default: 1_800_000,
        min: 1000,
        about: 'A session that is not used for this long is ended.',
      },
      max: {
        type: 'count',
        default: 64,
        min: 1,
        max: 100_000,
        about:
          'Sessions of one upstream that is a process: each has a process of its own. Beyond, an unused one of the caller that has most is ended.',
      },
      per_caller: {
        type: 'count',
        default: 16,
        min: 1,
        max: 100_000,
        about:
          'Sessions of one caller at one upstream, where callers have keys; never the last of `sessions.max`, which stays for others. Beyond, its own oldest that nobody uses is ended.',
      },
    },
  },
  store: {
    about: 'Where state is kept that outlives the process, or is shared with other gateways.',
    reload: 'restart',
    short: 'url',
    group: {
      url: {
        type: 'store',
        optional: true,
        about:
          'Where keys and answers are kept: a file of this machine (`file:./mayday.db`), or Redis or Valkey for many machines (`redis://…`). In memory, if absent. `store: file:./mayday.db` says the same.',
      },
      secret: {
        type: 'secret',
        optional: true,
        min: 16,
        about:
          'What [credentials of callers](policy.md#credentials-of-callers) and the ids of sessions are sealed with: 16 visible characters or more, out of the environment.',
      },
      on_down: {
        type: 'choice',
        of: ['closed', 'open'],
        default: 'closed',
        about:
          'While the store cannot be reached: `closed` says that the gateway is not ready, `open` that it is. Calls with an idempotency key and callers with a key from the store are refused either way.',
      },
    },
  },
  faults: {
    about: 'Failures, for the operator.',
    group: {
      keep: {
        type: 'count',
        default: 1000,
        min: 0,
        max: 100_000,
        about: 'Failures that are kept in memory for the operator.',
      },
      max_age_ms: {
        type: 'ms',
        default: 604_800_000,
        min: 60_000,
        reload: 'restart',
        about: 'How long failures and their counts are in the journal of the store; 24 days at most.',
      },
      max_entries: {
        type: 'count',
        default: 100_000,
        min: 1,
        max: 10_000_000,
        reload: 'restart',
        about: 'Failures that are in the journal of the store, and groups of them.',
      },
      groups: {
        about:
          'Which failures are one group of the journal, where their words do not tell; looked at from top to bottom, the first that fits decides.',
        list: {
          name: {
            type: 'text',
            required: true,
            about: 'What they are; two rules with one name make one group.',
          },
          messages: { type: 'names', optional: true, about: 'Only these messages: patterns.' },
          kinds: {
            type: 'choices',
            of: KIND_NAMES as readonly Kind[],
            optional: true,
            about: 'Only these kinds.',
          },
          upstreams: { type: 'names', optional: true, about: 'Only of these upstreams: patterns.' },
          targets: {
            type: 'names',
            optional: true,
            about: 'Only of these tools, prompts and resources: patterns of their names.',
          },
          by: {
            type: 'choices',
            of: ['upstream', 'target', 'kind', 'caller'],
            default: [],
            about: 'Each combination of these is a group of its own; all that fit are one, if empty.',
          },
        },
      },
    },
  },
  admin: {
    about: 'The [admin API](admin.md); `false` turns it off.',
    reload: 'restart',
    off: true,
    group: {
      listen: {
        about: 'An address of its own for what operators use.',
        group: {
          port: {
            type: 'count',
            optional: true,
            min: 0,
            max: 65_535,
            about:
              'Serves the admin API, and all else under `/-/`, at this port too, and the admin API nowhere else; 0 takes any that is free. If absent, it is at `listen.port`.',
          },
          host: { type: 'text', default: '127.0.0.1', about: 'The address of that port.' },
        },
      },
      console: {
        type: 'flag',
        default: true,
        about: 'Serves the [console](console.md), at `/-/console/` beside the admin API.',
      },
      requests_per_minute: {
        type: 'count',
        default: 600,
        min: 1,
        max: 1_000_000,
        about: 'What one operator may ask of this gateway in a minute.',
      },
    },
  },
  log: {
    about: 'The log on standard error.',
    reload: 'restart',
    group: {
      format: {
        type: 'choice',
        of: ['text', 'json'],
        default: 'text',
        about: '`json` writes one JSON object a line; see [telemetry](telemetry.md#logs).',
      },
    },
  },
  telemetry: {
    about: 'Traces, metrics and error budgets, see [telemetry](telemetry.md).',
    reload: 'restart',
    group: {
      metrics: {
        type: 'choice',
        of: ['off', 'operators', 'anybody'],
        optional: true,
        about:
          'Who reads `/-/metrics`. If absent: operators where anything else of [telemetry](telemetry.md) is on, else nobody.',
      },
      otlp: {
        about: 'Where traces and metrics are sent.',
        group: {
          endpoint: {
            type: 'url',
            optional: true,
            about:
              'A collector that speaks OTLP over HTTP, such as `http://localhost:4318`. `OTEL_EXPORTER_OTLP_ENDPOINT` says the same.',
          },
          headers: { type: 'headers', default: {}, about: 'Sent with every request to it.' },
          protocol: {
            type: 'choice',
            of: ['http/protobuf', 'http/json'],
            optional: true,
            about:
              'How it is spoken; `OTEL_EXPORTER_OTLP_PROTOCOL` if absent, and `http/protobuf` without it.',
          },
          traces: { type: 'flag', default: true, about: 'Whether traces are sent.' },
          metrics: { type: 'flag', default: true, about: 'Whether metrics are sent.' },
        },
      },
      sample: {
        type: 'share',
        optional: true,
        about:
          'The share of traces that is recorded, from 0 to 1, where no caller has decided it. `OTEL_TRACES_SAMPLER` if absent, and all of them without it.',
      },
      service_name: {
        type: 'text',
        optional: true,
        about:
          'What the gateway is called in traces and metrics; `OTEL_SERVICE_NAME` if absent, and `mayday-gateway` without it.',
      },
      error_budgets: {
        about: 'How many calls of a tool may fail; the first that fits a tool holds for it.',
        list: {
          tools: {
            type: 'names',
            optional: true,
            about: 'Patterns of `upstream/name`; everything if absent. Each tool has a budget of its own.',
          },
          objective: {
            type: 'share',
            required: true,
            about: 'The share of calls that are to succeed, such as 0.99.',
          },
          window_ms: {
            type: 'count',
            default: 2_592_000_000,
            min: 1000,
            max: 7_776_000_000,
            about: 'Over this time.',
          },
          min_calls: {
            type: 'count',
            default: 100,
            min: 1,
            max: 1_000_000_000,
            about: 'With fewer calls in the window, no budget is called used up.',
          },
        },
      },
    },
  },
} as const;

/** The settings that every upstream has. */
export const COMMON = {
  from: { type: 'dialect', optional: true, about: 'The dialect it speaks; found out if absent.' },
  dialect: {
    type: 'dialect',
    inherits: ['dialect'],
    about: 'The dialect in which its failures are passed on.',
  },
  redaction: {
    type: 'choice',
    of: ['standard', 'secrets', 'off'],
    default: 'standard',
    about:
      'What is taken out of its failing answers before callers see them: all that [redaction](redaction.md) knows, secrets alone, or nothing.',
  },
  timeout_ms: {
    type: 'ms',
    default: 300_000,
    min: 1,
    about:
      'A call that makes no progress for this long is given up. One whose process has to start first has `open_timeout_ms` for that, and this from then on.',
  },
  open_timeout_ms: {
    type: 'ms',
    default: 50_000,
    min: 1,
    about:
      'A server that has not answered `initialize` for this long is given up, and its client told why; most clients wait 60 s. What is installed first may need more.',
  },
  max_time_ms: {
    type: 'ms',
    default: 3_600_000,
    min: 1,
    about: 'A call is given up after this long, whatever progress it reports.',
  },
  retry: {
    about: 'When a failed call is made again.',
    group: {
      attempts: { type: 'count', default: 3, min: 1, max: 10, about: 'Attempts of a call in all.' },
      max_wait_ms: { type: 'ms', default: 2000, about: 'A longer wait is left to the caller.' },
      repeatable: {
        type: 'names',
        default: [],
        about: 'Tools that may be called again whatever became of the first call.',
      },
      never_repeat: {
        type: 'names',
        default: [],
        about: 'Tools that are never called again, whatever they or their server say.',
      },
      trust_annotations: {
        type: 'flag',
        default: true,
        about: 'Believe `readOnlyHint` and `idempotentHint` of its tools.',
      },
      trust_declarations: {
        type: 'flag',
        default: true,
        about: 'Believe it when it declares, in a dialect that defines this, that a call was not executed.',
      },
    },
  },
  tools: {
    about: 'Which of its tools callers see, and as what.',
    group: {
      allow: {
        type: 'names',
        optional: true,
        about: 'Only these are there: patterns of its own names; all if absent. See [shaping](shaping.md).',
      },
      deny: { type: 'names', default: [], about: 'These are not there: patterns of its own names.' },
      rename: {
        type: 'renames',
        default: {},
        about: 'By its own names: the names that callers see instead.',
      },
      descriptions: {
        type: 'texts',
        default: {},
        about: 'By its own names: what callers read in place of its descriptions.',
      },
      discovery: {
        type: 'choice',
        of: ['full', 'lazy'],
        default: 'full',
        about: 'What is listed at its own endpoint: all tools, or three that find, describe and call them.',
      },
    },
  },
  breaker: {
    about: 'When calls are held back because it keeps failing; `false` never holds them back.',
    off: true,
    group: {
      failures: {
        type: 'count',
        default: 5,
        min: 1,
        max: 1000,
        about:
          'Failures in a row that hold calls back: calls of a tool, however many attempts each had, and attempts that the server left without an answer. So do half of them within some seconds, where they are as many, and at least 10 of a tool or 20 of the server.',
      },
      open_ms: { type: 'ms', default: 1000, min: 1, about: 'How long they are held back at first.' },
    },
  },
} as const;

/** The sessions that the gateway keeps for a server. One behind a URL keeps its own, unless it speaks the oldest transport. */
export const KEPT = {
  sessions: {
    about: 'Its sessions, where they differ from the general ones.',
    group: {
      idle_ms: {
        type: 'ms',
        min: 1000,
        inherits: ['sessions', 'idle_ms'],
        about: 'A session that is not used for this long is ended.',
      },
      per_caller: {
        type: 'count',
        min: 1,
        max: 100_000,
        inherits: ['sessions', 'per_caller'],
        about: 'Sessions of one caller.',
      },
    },
  },
} as const;

/** How what is over HTTP is reached, and what it gets of each caller's own. */
export const GIVEN = {
  proxy: {
    type: 'text',
    optional: true,
    about:
      'The HTTP proxy that leads to it, such as `http://proxy.example:3128`, with a user and a password where it asks for them; `none` for no proxy. `HTTPS_PROXY` or `HTTP_PROXY` if absent, except for what `NO_PROXY` names and for this machine.',
  },
  ca: {
    type: 'path',
    optional: true,
    about: 'A file in PEM: the certificates that vouch for it, in place of those that Node knows.',
  },
  caller_credentials: {
    about:
      "A credential of each caller's own, see [policy](policy.md#credentials-of-callers). `caller_credentials: authorization` says what `header` says.",
    short: 'header',
    needs: 'header',
    group: {
      header: {
        type: 'header_name',
        optional: true,
        about: 'The header in which it is sent, in place of what the caller sent.',
      },
      scheme: {
        type: 'text',
        optional: true,
        about:
          'The word before it. If absent, `Bearer` in `authorization` and none elsewhere; `none` for none.',
      },
      required: {
        type: 'flag',
        default: true,
        about: 'Whether callers who have none are refused. Their calls are sent without it, if not.',
      },
    },
  },
} as const;

/** A server process. */
export const COMMAND = {
  command: { type: 'text', required: true, about: 'A server over standard input and output.' },
  args: { type: 'names', default: [], about: 'What the command is given.' },
  env: {
    type: 'strings',
    default: {},
    about: 'What it sees of the environment beside `PATH`, `HOME` and the like.',
  },
  cwd: { type: 'path', default: '.', about: 'Where it runs, seen from the folder of this file.' },
  sessions: {
    about: 'Its sessions, where they differ from the general ones.',
    group: {
      max: {
        type: 'count',
        min: 1,
        max: 100_000,
        inherits: ['sessions', 'max'],
        about: 'Sessions in all; each is a process.',
      },
    },
  },
  max_sessions: {
    type: 'count',
    min: 1,
    max: 100_000,
    alias: ['sessions', 'max'],
    about: 'The same as `sessions.max`.',
  },
} as const;

/** A server over HTTP. */
export const URL_FORM = {
  url: { type: 'url', required: true, about: 'A server over HTTP.' },
  transport: {
    type: 'choice',
    of: ['auto', 'http', 'sse'],
    default: 'auto',
    about:
      'How it is spoken to: `http` is streamable HTTP as it is, `sse` the HTTP+SSE of 2024-11-05. `auto` is the first, and [finds out](eras.md#servers) what else a server speaks that refuses an `initialize`.',
  },
  headers: {
    type: 'headers',
    default: {},
    about:
      'Sent with every request, in place of what the caller sent. What the gateway has to write itself is refused: `mcp-session-id`, `mcp-protocol-version`, a `content-type` that is not JSON, and the like.',
  },
  token_audience: {
    type: 'text',
    optional: true,
    about:
      'The access token of a caller goes to the server too, if its `aud` names this; at the endpoint of the server, and never if absent.',
  },
  sessions: {
    about: 'Its sessions, where the gateway keeps them; a server that can keeps its own.',
    group: {
      max: {
        type: 'count',
        default: 1000,
        min: 1,
        max: 100_000,
        about:
          'Sessions in all, where the gateway keeps them: over the HTTP+SSE of 2024-11-05, and before a server of 2026-07-28 alone.',
      },
    },
  },
} as const;

/** An HTTP API with an OpenAPI document. */
export const OPENAPI = {
  openapi: {
    type: 'document',
    required: true,
    about: 'An HTTP API: the file or URL of its document, OpenAPI 3.0 or 3.1, or Swagger 2.0.',
  },
  base_url: {
    type: 'url',
    optional: true,
    about:
      'Where the API is; the first server of the document if absent. It has no query: what goes there is in `query`.',
  },
  headers: {
    type: 'headers',
    default: {},
    about: 'Sent with every request. Parameters of these names are not asked of callers.',
  },
  query: {
    type: 'texts',
    default: {},
    about: 'Added to the query of every request, for keys that go there. The same holds.',
  },
  origins: {
    type: 'origins',
    default: [],
    about:
      'Other places of the API, such as `https://files.example.com` or `https://*.example.com`: for operations that the document has there, and for redirects.',
  },
  idempotency_header: {
    type: 'header_name',
    optional: true,
    about:
      'The header in which the API takes idempotency keys for `POST` and `PATCH`, where its document does not say so; none that is sent anyway.',
  },
  operations: {
    type: 'names',
    optional: true,
    about: 'The operations that become tools, by `operationId`, one at least; all of them if absent.',
  },
  sessions: {
    about: 'Its sessions, where they differ from the general ones.',
    group: {
      max: {
        type: 'count',
        default: 10_000,
        min: 1,
        max: 100_000,
        about: 'Sessions in all; they cost no process.',
      },
    },
  },
} as const;

/** A server that is made of tools of others. */
export const VIRTUAL = {
  tools: {
    type: 'names',
    required: true,
    about:
      'The tools that it has: patterns of `upstream/name`, by the names that the upstreams have for them.',
  },
  deny: { type: 'names', default: [], about: 'But not these: patterns of `upstream/name`.' },
  rename: {
    type: 'renames',
    default: {},
    about: 'By `upstream/name`: the names that callers see here, as they are, without a prefix.',
  },
  descriptions: {
    type: 'texts',
    default: {},
    about: 'By `upstream/name`: what callers read here in place of the description.',
  },
  instructions: {
    type: 'text',
    optional: true,
    about: 'What clients are told about it, in place of what its upstreams say about themselves.',
  },
  separator: {
    type: 'choice',
    of: ['_', '__', '-', '.', '/', ''],
    inherits: ['joined', 'separator'],
    about: 'Between the name of an upstream and that of a tool; empty leaves names as they are.',
  },
  discovery: {
    type: 'choice',
    of: ['full', 'lazy'],
    default: 'full',
    about: 'What is listed: all of its tools, or three that find, describe and call them.',
  },
} as const;
