/** What names say of the values beside them, by tables of names. */
import { FOREIGN } from './foreign-names.ts';
import type { KeyHolds } from './key-names.ts';

/** What a name says about the value beside it. */
export interface KeyMeaning {
  readonly class: string;
  /**
   * How sure the name alone makes it: 3 any value goes, 2 any value but a plain word, 1 only one that looks random,
   * 0.5 only inside a query string, 0 the name is a known harmless one.
   */
  readonly strength: number;
  /** Whether values are numbers rather than secrets. */
  readonly isNumber: boolean;
  /** Whether a random word near the name is one of its values. */
  readonly isHint: boolean;
  /** What a key of this name is, where the name need not be a secret's. */
  readonly holds?: KeyHolds | undefined;
  /** Whether a value is one of that key's. */
  readonly fits?: ((value: string) => boolean) | undefined;
}

/** Tells from a name in a text whether the value beside it is secret or personal. */
export type MeaningAt = (text: string, start: number, end: number) => KeyMeaning | undefined;

/** Names are judged without case and separators: `X-Api-Key`, `xApiKey` and `X_API_KEY` are all `xapikey`. */
const MEANINGS: ReadonlyArray<readonly [cls: string, strength: number, pattern: RegExp]> = [
  // Names that end like a secret and are none.
  [
    '',
    0,
    /(?:page|next|continuation|continue|progress|cancell?ation|sync|resume|resumption|cursor|max|min|total|prompt|completion|input|output|usage|num|count|cached|reasoning|unexpected|illegal|stop|eos|bos|pad|budget|design)(?:page)?tokens?$|^tokens$|publickeytoken$|publickeys?$|(?:by|com|over|tres|sur|under)pass$|(?:o|co)?author$|nooauth$|^(?:is|has|needs?|requires?|enable|disable|allow|show|hide)(?:password|token|secret|auth|session|cookie|credential)s?$/,
  ],
  [
    'password',
    3,
    /(?:passw(?:or)?ds?|pwd|passphrase|passcode)(?:hash(?:ed)?|plain(?:text)?|text|value|current|old|new|confirm(?:ation)?|again|repeat|enc(?:rypted)?|crypt|clear)?\d{0,2}$|pass$|(?:^|db|user|smtp|imap|ftp|admin|root|my|auth|login|ldap|store|key|proxy|wifi|mail|bind)(?:pw|psw|psk|passwd|passin|passout)$|^psk$|^preshared(?:key)?$|masterauth$|authtok$|securitycredentials$|bindcredentials$/,
  ],
  [
    'private-key',
    3,
    /(?:private|ssh|rsa|gpg|pgp|pem|ecdsa|ed25519|signing|tls|ssl|jwk|priv|client)key(?:data|pem|contents?|value|base64|b64)?$|^privkey$|mnemonic$|(?:seed|recovery|secret|backup)(?:phrase|words)$|^pem$/,
  ],
  [
    'secret',
    3,
    /secrets?(?:key(?:base)?|value|hash|text|string|plain(?:text)?|data|base64|b64|hex|bytes|keybytes)?\d{0,2}$|(?:client|app|shared|consumer|webhook|signing|session|cookie|encryption|hmac)salt$|secretaccesskey$|^(?:pepper|salt|snmpcommunity|community)$/,
  ],
  [
    'api-key',
    3,
    /(?:api|x|access|auth|account|app|application|subscription|licen[cs]e|encryption|encrypt|decryption|decrypt|signature|master|admin|service|client|consumer|shared|storage|deploy|server|secret|functions?|bot|integration|ingest|ingestion|instrumentation|merchant|publishable|restricted|live|sandbox|user|team|org|personal|vault|unseal|symmetric|aes|hmac|crypto|cipher|kms|wallet|transfer|activation|product|webhook|sdk|management|gateway|root|wifi|network|registry)(?:keys?|auth)(?:value|secret|text|string|data|b64)?\d{0,2}$|^(?:apitoken|appid)$/,
  ],
  [
    'token',
    3,
    /(?:tokens?|jwt)(?:value|string|raw|plain|data|hash|secret)?\d{0,2}$|(?:^|x|oauth|access|http)bearer$|^pat$|personalaccess$|(?:codeverifier|devicecode|authori[sz]ationcode|verifier)$/,
  ],
  [
    'credentials',
    3,
    /(?:authori[sz]ation|xauth|httpauth|basicauth|authheader|htpasswd|dockerconfigjson|userpass|userpwd)$/,
  ],
  ['credentials', 2, /(?:credentials?|creds?|^_?auth|npmauth|authinfo|authdata|authstring)$/],
  ['cookie', 3, /(?:^|set|http|session|auth|x)cookies?2?$/],
  [
    'session',
    3,
    /sess(?:ion)?(?:id|key|handle|cookie|identifier)$|connectsid$|aspxauth$|^_?(?:[a-z]{1,12})?_?session$|^rememberme$/,
  ],
  ['session', 2, /^(?:sid|ssid|sess)$/],
  [
    'signature',
    2,
    /(?:signature|hmac|signed|(?:access|api|x)sign)(?:\d+|ed25519)?$|^(?:sig|sign|mac|digest|rlkey)$/,
  ],
  ['credentials', 2, /(?:xamzcredential|accesskeyid|xgoogcredential|googleaccessid|accountsid)$/],
  [
    'otp',
    3,
    /^(?:t?otp|pin|pincode|cv[vc]2?|csc|cvn|(?:mfa|otp|twofactor|2fa|auth|verification|security|sms|backup|recovery|one-?time|login|access)codes?|onetimepassword|pinnumber|card(?:cvc|cvv|pin)|userpin)$/,
  ],
  [
    'id-number',
    3,
    /^(?:user|customer|patient|employee)?(?:ssn|socialsecurity|sin|nino|nationalid|nationalinsurance|passport|dni|nie|nif|cpf|cnpj|aadhaa?r|pesel|bsn|tax(?:payer)?id|steuerid(?:nr)?|itin|curp|personnummer|fodselsnummer|codicefiscale|nhs|medicare|driver(?:s)?licen[sc]e|mynumber|personalid|identitycard|idcard|mrn|medicalrecord)(?:number|num|no)?$|^(?:idnumber|taxnumber)$/,
  ],
  [
    'birth-date',
    3,
    /^(?:dob|dateofbirth|birth(?:day|date)|geburtsdatum|fecha(?:de)?nacimiento|datedenaissance)$/,
  ],
  [
    'phone',
    3,
    /^waid$|(?:^|home|work|cell|contact|customer|user|billing|shipping|display|recipient)(?:phone|mobile|mobilephone|cellphone|telephone|telefono?|teléfono|msisdn|fax)(?:number|no)?$/,
  ],
  [
    'card',
    3,
    /^(?:(?:credit|debit|payment|bank)?card(?:number|no|num)|ccnumber|ccnum|primaryaccountnumber|kartennummer)$/,
  ],
  ['iban', 3, /^(?:iban|ibannumber|(?:bank)?account(?:number|no)|bankaccount|routingnumber|sortcode)$/],
  ['token', 1, /(?:token|key|secret)\d?$|^(?:ak|sk|k|response|x?api)$|appid$|nonce$/],
  [
    'api-key',
    0.5,
    /^(?:clientid|code|access|client|hash|h|s|t|st|ticket|samlresponse|samlrequest|assertion|idtokenhint|state|hdnea|hdnts|policy|keypairid|credential|oauthverifier|invitation|invite|otpauth|pw|p)$/,
  ],
];

const ALL = [...MEANINGS, ...FOREIGN];
const NUMBERS = /^(?:id-number|birth-date|phone|card|iban)$/;
const HINTS = /^(?:token|api-key|secret|password|private-key|credentials|signature)$/;

/** What the tables say of a name without case and separators. */
export function meaningInTables(plain: string): KeyMeaning | undefined {
  const found = ALL.find(([, , pattern]) => pattern.test(plain));
  if (!found) {
    return undefined;
  }
  const [cls, strength] = found;
  const isHint = strength >= 1 && HINTS.test(cls);
  return { class: cls, strength, isNumber: NUMBERS.test(cls), isHint };
}

/** A name without case and separators. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/[\s_.\-$@[\]]+/g, '');
}

/** Whether a word is the name of something that is secret or personal, or of some keys. */
export function isKnownName(word: string): boolean {
  const plain = plainName(word);
  return meaningInTables(plain) !== undefined || /keys\d?$/.test(plain);
}

/** Whether nothing that stands under a name is a secret because of it. */
export function isHarmless({ strength, holds }: KeyMeaning): boolean {
  return strength === 0 && holds === undefined;
}

interface Known {
  readonly name: string;
  readonly meaning: KeyMeaning | undefined;
}

const MOST_KNOWN = 4000;
const LONGEST_NAME = 80;

/** Remembers what names were judged to say. `plain`: without case and separators. */
export function meaningsBy(judge: (name: string, plain: string) => KeyMeaning | undefined): MeaningAt {
  /** By a hash of theirs: to look a part of a text up as a string costs ten times as much. */
  const cache = new Map<number, Known>();
  return (text, start, end) => {
    const size = end - start;
    if (size > LONGEST_NAME) {
      return undefined;
    }
    let hash = size;
    for (let at = start; at < end; at++) {
      hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
    }
    const known = cache.get(hash);
    if (known && known.name.length === size && text.startsWith(known.name, start)) {
      return known.meaning;
    }
    const name = text.slice(start, end);
    const meaning = judge(name, plainName(name));
    if (cache.size > MOST_KNOWN) {
      cache.clear();
    }
    cache.set(hash, { name, meaning });
    return meaning;
  };
}
