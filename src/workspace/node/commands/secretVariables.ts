/**
 * Which variables of the environment look like secrets. Sources of the names and values: the default exclusions of Codex and
 * Gemini CLI, the keywords of detect-secrets, the rules of gitleaks, and Rails' filtered parameters.
 */

/** Whether a variable looks like a secret, by its name or by its value. A variable without content never does. */
export function isSecretVariable(name: string, value: string): boolean {
  if (isWithoutContent(value) || HARMLESS.test(name)) return false;
  return isSecretName(name, value) || isSecretValue(value);
}

/** Variables that every program needs, and variables that match a rule below but hold no secret. */
const HARMLESS = new RegExp(
  `^(?:${[
    'PATH|PATHEXT|HOME|HOMEDRIVE|HOMEPATH|USERPROFILE|USER|USERNAME|LOGNAME|SHELL|PWD|OLDPWD|TMPDIR|TMP|TEMP|LANG|LC_\\w+|TERM|LS_COLORS',
    'SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES',
    'AWS_CA_BUNDLE|SSH_AUTH_SOCK|(?:SSH|GIT|SUDO|SVN)_ASKPASS(?:_REQUIRE)?|GOAUTH|LESSKEY\\w*|TOKENIZERS?_\\w+',
  ].join('|')})$`,
  'i',
);

function isWithoutContent(value: string): boolean {
  return /^\s*(?:[01]|true|false|yes|no|on|off|never|always|none|null)?\s*$/i.test(value);
}

function isSecretName(name: string, value: string): boolean {
  if (SECRET_FAMILIES.test(name)) return true;
  const words = wordsOf(name);
  if (words.at(-1) === 'TOKENS' && /^\d+$/.test(value)) return false;
  return words.some((word) => SECRET_WORDS.has(word) || SECRET_WORD_PARTS.test(word)) || SECRET_PHRASES.test(name);
}

/** In upper case, without the numbers at their ends: `npm_config__authToken` gives NPM, CONFIG, AUTH, TOKEN. */
function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])(?=[A-Z])/g, '$1_')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .map((word) => word.replace(/\d+$/, ''))
    .filter((word) => word !== '');
}

const SECRET_WORDS: ReadonlySet<string> = new Set([
  ...[
    'TOKENS',
    'KEYS',
    'PW',
    'PWD',
    'PAT',
    'PATS',
    'CRED',
    'CREDS',
    'JWT',
    'BEARER',
    'COOKIE',
    'COOKIES',
    'DSN',
    'PFX',
  ],
  ...['WEBHOOK', 'WEBHOOKS', 'MNEMONIC', 'PASSCODE', 'AUTHORIZATION', 'AUTHENTICATION', 'PGPASSFILE'],
]);

/** `APIKEY` and `SSHPASS` are secrets; `MONKEY` and `BYPASS` are not. */
const SECRET_WORD_PARTS = new RegExp(
  [
    'TOKEN(?!S$|IZ)|SECRET|PASSW|PASSPHRASE|CREDENTIAL|CONTRASEN|APIKEY|PRIVKEY|CONNSTR|AUTH$',
    '(?<!^MON|^TUR|^DON|^HOT|^WHIS|^JOC|^HOC)KEY$',
    '(?<!^BY|^COM|^TRES|^ASK|^SUR)PASS$',
  ].join('|'),
);

const SECRET_PHRASES = /CONNECTION_?STR|CONN_STR|DB_URI|SEED_PHRASE|_SALT$|(?:^|_)T?OTP(?:_(?:CODE|SEED))?$/i;

/** Whole families, the sessions of password managers, and Bundler's credentials for hosts (`BUNDLE_GEMS__EXAMPLE__COM`). */
const SECRET_FAMILIES =
  /^(?:ANTHROPIC_.*|AWS_.*|(?:BW|OP|LPASS|FASTLANE|RBW)_SESSION(?:_.*)?|BUNDLE_.+__.+|OTEL_EXPORTER_OTLP_(?:\w+_)?HEADERS)$/i;

function isSecretValue(value: string): boolean {
  return SECRET_VALUES.some((pattern) => pattern.test(value));
}

/** Every repetition is bounded, so that a long value costs linear time. */
const SECRET_VALUES: readonly RegExp[] = [
  // Private keys, also in Base64.
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/,
  /LS0tLS1CRUdJTi[A-Za-z0-9+/]{4}/,
  // `scheme://user:password@host`, also with unescaped characters in the password; and any user of http.
  /:\/\/[^\s/@:]{0,256}:[^\s@]{1,1024}@/,
  /https?:\/\/[^\s/@]{1,1024}@/i,
  // Go's form for MySQL: `user:password@tcp(host)/db`.
  /^[^\s/@:]{1,256}:[^\s@]{1,1024}@(?:tcp|unix)\(/,
  // `password=…`, `"token": "…"` and `Authorization: …` in connection strings, options, headers, JSON and queries of URLs.
  new RegExp(
    String.raw`(?:pass(?:word|wd|phrase)|pwd|secret|token|(?:api|access|account|private|shared|signing)[-_ ]?(?:access)?[-_ ]?key|accesssignature|authorization)(?:\s{0,4}=\s{0,4}|["']\s{0,4}:\s{0,4}|:\s{1,4})["']?[^\s"';&,]`,
    'i',
  ),
  /[?&;](?:sig|signature|auth|key|code|apikey|jwt|access_token)=[^\s&;]/i,
  /\b(?:Bearer|Basic)\s+[\w.~+/=-]{8}/,
  // JSON Web Tokens.
  /\beyJ[\w-]{8,2048}?\.eyJ[\w-]{8}/,
  // The prefixes that providers give to their tokens.
  /(?<![A-Za-z0-9])(?:gh[opusr]_[A-Za-z0-9]{20}|github_pat_\w{20}|gl(?:pat|ptt|dt|rt|ft|soat|agent|imt|ffct|cbt|oas)-[\w-]{16}|GR1348941[\w-]{16})/,
  /(?<![A-Za-z0-9])(?:(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}|ABSK[A-Za-z0-9+/]{20}|AIza[\w-]{30}|ya29\.[\w-]{20}|LTAI[A-Za-z0-9]{16}|dapi[a-f0-9]{32})/,
  /(?<![A-Za-z0-9])(?:sk-[\w-]{20}|[srp]k_(?:live|test|prod)_[A-Za-z0-9]{10}|whsec_[A-Za-z0-9+/]{20}|hf_[A-Za-z0-9]{30}|gsk_\w{20}|xai-\w{20}|pplx-\w{20}|r8_\w{20}|nvapi-[\w-]{20})/,
  /(?<![A-Za-z0-9])(?:xox[a-z](?:\.xox[bp])?-[\w-]{8}|xapp-\d-[\w-]{8}|npm_[A-Za-z0-9]{30}|pypi-[\w-]{16}|rubygems_[a-f0-9]{32}|dckr_(?:pat|oat)_[\w-]{16}|clojars_\w{40})/i,
  /(?<![A-Za-z0-9])(?:do[opr]_v1_[a-f0-9]{32}|hv[sbr]\.[\w-]{20}|[a-zA-Z0-9]{14}\.atlasv1\.[\w-]{20}|dp\.(?:pt|st|sa|ct)\.\w{20}|pul-[a-f0-9]{32}|pscale_(?:tkn|oauth|pw)_[\w.=-]{20})/,
  /(?<![A-Za-z0-9])(?:SG\.[\w-]{16,64}\.[\w-]{16}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|sq0(?:atp|csp)-[\w-]{22}|lin_api_\w{30}|ntn_\w{30}|secret_[A-Za-z0-9]{40}|ATATT3[\w=-]{20}|ATCTT3[\w=-]{20})/,
  /(?<![A-Za-z0-9])(?:gl(?:c|sa)_[\w+/]{24}|sntry[su]_[\w+/=-]{20}|PMAK-[a-f0-9]{20}|NRAK-[A-Z0-9]{20}|HRKU-[\w-]{20}|fo1_[\w-]{30}|fm[12][ar]?_[\w+/]{20}|sbp_[a-f0-9]{30}|vc[prk]_\w{20}|nf[pcboru]_\w{20})/,
  /AGE-SECRET-KEY-1|hooks\.slack\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/webhooks\/|webhook\.office\.com\/webhookb2\//i,
];
