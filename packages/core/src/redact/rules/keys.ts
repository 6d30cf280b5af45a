/** What a name says about the value beside it. */
export interface KeyMeaning {
  readonly class: string;
  /**
   * How sure the name alone makes it: 3 any value goes, 2 any value but a plain word, 1 only one that looks random,
   * 0.5 only inside a query string, 0 the name is a known harmless one.
   */
  readonly strength: number;
}

/** Names are judged without case and separators: `X-Api-Key`, `xApiKey` and `X_API_KEY` are all `xapikey`. */
const MEANINGS: ReadonlyArray<readonly [cls: string, strength: number, pattern: RegExp]> = [
  // Names that end like a secret and are none.
  [
    '',
    0,
    /(?:page|next|continuation|continue|progress|cancell?ation|sync|resume|resumption|cursor|max|min|total|prompt|completion|input|output|usage|num|count|cached|reasoning|unexpected|illegal|stop|eos|bos|pad|budget)(?:page)?tokens?$|^tokens$|(?:public|primary|foreign|unique|partition|sort|cache|idempotency|routing|hot|object|row|project|issue|composite|duplicate|candidate|range|hash|map|lookup|translation|index|group|natural|surrogate|query|range|unknown|missing|required|invalid|extra|unrecognized|unexpected|json|dict|config|property|feature|flag|metric|column|field|host|arrow|shortcut|sst|etag|last|s3|blob|storageobject)keys?$|(?:by|com|over|tres|sur|under|en|tres|bi)pass$|(?:o|co)?author$|nooauth$|^(?:is|has|needs?|requires?|enable|disable|allow|show|hide)(?:password|token|secret|auth|session|cookie|credential)s?$/,
  ],
  [
    'password',
    3,
    /(?:passw(?:or)?ds?|pwd|passphrase|passcode|passwort|kennwort|contrasenas?|contraseña|contrasinal|motdepasse|mdp|senha|palavrapasse|parola|wachtwoord|losenord|lösenord|passord|adgangskode|salasana|haslo|hasło|heslo|jelszo|jelszó|sifre|şifre|lozinka|katasandi|пароль|пароля|密码|密碼|口令|パスワード|비밀번호)(?:hash(?:ed)?|plain(?:text)?|text|value|current|old|new|confirm(?:ation)?|again|repeat|enc(?:rypted)?|crypt|clear)?\d{0,2}$/,
  ],
  [
    'password',
    3,
    /(?:^|db|user|usr|smtp|imap|ftp|sftp|mysql|pg|postgres|redis|mongo|admin|root|my|auth|login|sudo|ldap|rabbitmq|keystore|truststore|proxy|wifi|mail|key|cert|bind|vpn|ssh|svn|git|http|basic)(?:pass|pw|psw|passwd|psk)$/,
  ],
  [
    'private-key',
    3,
    /(?:private|ssh|rsa|gpg|pgp|pem|ecdsa|ed25519|signing|tls|ssl|jwk|priv)key(?:data|pem|contents?|value|base64|b64)?$|^privkey$|mnemonic$|(?:seed|recovery|secret|backup)phrase$|^pem$/,
  ],
  [
    'secret',
    3,
    /(?:secrets?|geheimnis|secret[oa]|segredo|секрет|密钥|密鑰|秘密鍵|비밀키)(?:key|value|hash|text|string|plain(?:text)?|data|base64|b64)?\d{0,2}$|(?:client|app|shared|consumer|webhook|signing|session|cookie|encryption|hmac)(?:secret|salt)$|secretaccesskey$|^(?:pepper|salt)$/,
  ],
  [
    'api-key',
    3,
    /(?:api|apis|x|access|auth|account|app|application|subscription|license|licence|encryption|decryption|signature|master|admin|service|serviceaccount|client|consumer|sharedaccess|shared|storage|deploy|server|secret|functions?|maps?|bot|integration|write|read|ingest(?:ion)?|instrumentation|site|partner|merchant|publishable|restricted|live|sandbox|user|team|org|workspace|developer|dev|personal|provisioning|cluster|vault|unseal|symmetric|aes|des|hmac|crypto|cipher|data|kms|wallet|transfer|activation|product|serial|webhook|sdk|management|gateway|root)keys?(?:value|secret|text|string|data)?\d{0,2}$|^(?:apitoken|x?api|appid|clave(?:api)?|apischlussel|apischlüssel|chave(?:deapi|api)?|cleapi|cléapi|ключapi|apiключ)$/,
  ],
  [
    'token',
    3,
    /(?:access|auth|refresh|api|bearer|id|identity|session|security|user|bot|app|oauth2?|personal|service|account|csrf|xsrf|jwt|push|device|fcm|apns|webhook|verification|reset|invite|magic|login|sso|saml|registry|npm|github|gitlab|slack|deploy|build|ci|job|runner|installation|integration|gateway|client|admin|management|private|secret|x|web|impersonation|temporary|temp|remember|authenticity|request|oauthrequest|long|short|sts|aad|azure|vault|join|bootstrap|node|cluster|agent|upload|download|confirmation|activation)tokens?(?:value|secret|string|data|hash|raw)?\d{0,2}$/,
  ],
  [
    'token',
    2,
    /(?:tokens?|jwt|токен|令牌|トークン|토큰)(?:value|string|raw|plain|data|hash)?\d{0,2}$|(?:^|x|oauth|access|http)bearer$|^pat$|personalaccess$/,
  ],
  [
    'credentials',
    3,
    /(?:authorization|authorisation|proxyauthorization|xauth|httpauth|basicauth|authheader|htpasswd|dockerconfigjson|userpass|userpwd)$/,
  ],
  ['credentials', 2, /(?:credentials?|creds?|^auth|xauth|^_auth|npmauth|authinfo|authdata|authstring)$/],
  ['cookie', 3, /(?:^|set|http|session|auth|x)cookies?2?$/],
  [
    'session',
    3,
    /(?:sess(?:ion)?id|sessid|sessionkey|phpsessid|jsessionid|aspnetsessionid|aspxauth|connectsid|sessionhandle|sessioncookie|laravelsession|ssid|sessionidentifier)$|^_?(?:[a-z]{1,12})?_?session$/,
  ],
  ['session', 2, /^(?:sid|ssid|sess)$/],
  [
    'signature',
    2,
    /(?:signature|xamzsignature|xgoogsignature|hmac|signed)$|^(?:sig|sign|hmac|mac|digest)$|(?:hub|webhook|x)signature(?:\d+|ed25519)?$/,
  ],
  [
    'credentials',
    2,
    /(?:xamzcredential|awsaccesskeyid|accesskeyid|xgoogcredential|googleaccessid|accountsid)$/,
  ],
  [
    'otp',
    3,
    /^(?:otp|totp|pin|pincode|cvv2?|cvc2?|csc|cvn|mfacode|otpcode|twofactorcode|2facode|authcode|verificationcode|securitycode|smscode|backupcodes?|recoverycodes?|onetimecode|onetimepassword|pinnumber|cardcvc|cardcvv|cardpin|userpin)$/,
  ],
  [
    'id-number',
    3,
    /^(?:(?:user|customer|patient|employee)?(?:ssn|socialsecurity(?:number|no)?|sin|nino|nationalid(?:number)?|nationalinsurance(?:number|no)?|passport(?:number|no|id)?|dni|nie|nif|cpf|cnpj|aadhaar(?:number|no)?|aadhar|pesel|bsn|taxid|taxnumber|taxpayerid|steuerid|steueridnr|itin|curp|personnummer|fodselsnummer|codicefiscale|nhsnumber|medicare(?:number|no)?|driver(?:s)?licen[sc]e(?:number|no)?|mynumber|personalid|identitycard(?:number)?|idcard(?:number)?|idnumber))$/,
  ],
  [
    'birth-date',
    3,
    /^(?:dob|dateofbirth|birth(?:day|date)|birthdate|geburtsdatum|fechanacimiento|datedenaissance)$/,
  ],
  [
    'phone',
    3,
    /(?:^|home|work|cell|contact|customer|user|billing|shipping)(?:phone|phonenumber|mobile|mobilenumber|mobilephone|cellphone|telephone|telefon|telefono|teléfono|msisdn|faxnumber|phoneno)$/,
  ],
  [
    'card',
    3,
    /^(?:(?:credit|debit|payment|bank)?card(?:number|no|num)|ccnumber|ccnum|primaryaccountnumber)$/,
  ],
  ['iban', 3, /^(?:iban|ibannumber|bankaccount(?:number|no)?|accountnumber|routingnumber|sortcode)$/],
  ['token', 1, /(?:token|key|secret)\d?$|^(?:ak|sk|k)$|appid$/],
  [
    'api-key',
    0.5,
    /^(?:clientid|code|authcode|access|client|nonce|hash|h|s|t|st|ticket|samlresponse|samlrequest|assertion|idtokenhint|state|verifier|codeverifier|hdnea|hdnts|policy|keypairid|credential|oauthverifier|invitation|invite|otpauth|secretkey|pw|p|u?pass)$/,
  ],
];

/** Whether values of a class are numbers rather than secrets. */
export function isNumberClass(cls: string): boolean {
  return /^(?:id-number|birth-date|phone|card|iban)$/.test(cls);
}

interface Known {
  readonly name: string;
  readonly meaning: KeyMeaning | undefined;
}

/** Names that were judged, by a hash of theirs: to look a part of a text up as a string costs ten times as much. */
const cache = new Map<number, Known>();
const MOST_KNOWN = 4000;
const LONGEST_NAME = 80;

/** Tells from a field's, variable's, header's or parameter's name whether its value is secret or personal. */
export function meaningOfKey(name: string): KeyMeaning | undefined {
  return meaningAt(name, 0, name.length);
}

/** The same for a name inside a text. */
export function meaningAt(text: string, start: number, end: number): KeyMeaning | undefined {
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
  const meaning = judge(name.toLowerCase().replace(/[\s_.\-$@[\]]+/g, ''));
  if (cache.size > MOST_KNOWN) {
    cache.clear();
  }
  cache.set(hash, { name, meaning });
  return meaning;
}

function judge(name: string): KeyMeaning | undefined {
  for (const [cls, strength, pattern] of MEANINGS) {
    if (pattern.test(name)) {
      return { class: cls, strength };
    }
  }
  return undefined;
}
