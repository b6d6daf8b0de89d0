import assert from 'node:assert/strict';
import fc from 'fast-check';
import { commandEnvironment, withheldVariables } from '../../../../../src/workspace/node/commands/commandEnvironment';
import { isSecretVariable } from '../../../../../src/workspace/node/commands/secretVariables';

/** Real variables of tools and services whose content is secret. The value is a plain word. */
const SECRET_NAMES = `
OPENAI_API_KEY ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_BASE_URL GEMINI_API_KEY GOOGLE_API_KEY MISTRAL_API_KEY HF_TOKEN
HUGGING_FACE_HUB_TOKEN REPLICATE_API_TOKEN AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_PROFILE AZURE_CLIENT_SECRET
AZURE_STORAGE_KEY AZURE_STORAGE_CONNECTION_STRING ARM_CLIENT_SECRET ARM_ACCESS_KEY GOOGLE_APPLICATION_CREDENTIALS GOOGLE_CREDENTIALS
DIGITALOCEAN_TOKEN CLOUDFLARE_API_TOKEN CF_API_KEY HEROKU_API_KEY FLY_API_TOKEN VERCEL_TOKEN NETLIFY_AUTH_TOKEN LINODE_TOKEN
GITHUB_TOKEN GH_TOKEN GITHUB_PAT GITLAB_TOKEN GITLAB_PRIVATE_TOKEN CI_JOB_TOKEN CI_JOB_JWT CI_REGISTRY_PASSWORD BITBUCKET_APP_PASSWORD
VSCE_PAT OVSX_PAT AZURE_DEVOPS_EXT_PAT SYSTEM_ACCESSTOKEN ACTIONS_ID_TOKEN_REQUEST_TOKEN ACTIONS_RUNTIME_TOKEN CIRCLE_TOKEN
NPM_TOKEN NODE_AUTH_TOKEN npm_config__auth npm_config__authToken npm_config_//registry.example.com/:_authToken NPM_CONFIG_OTP YARN_NPM_AUTH_TOKEN
PYPI_TOKEN TWINE_PASSWORD UV_PUBLISH_TOKEN POETRY_PYPI_TOKEN_PYPI POETRY_HTTP_BASIC_PRIVATE_PASSWORD CARGO_REGISTRY_TOKEN
CARGO_REGISTRIES_OURS_TOKEN GEM_HOST_API_KEY BUNDLE_GEMS__EXAMPLE__COM COMPOSER_AUTH NUGET_API_KEY DOCKER_PASSWORD DOCKER_AUTH_CONFIG
PGPASSWORD PGPASSFILE MYSQL_PWD MYSQL_ROOT_PASSWORD MONGO_INITDB_ROOT_PASSWORD REDISCLI_AUTH REDIS_PASSWORD DB_PASS DB_PASSWORD DBPASS
CONNECTION_STRING ConnectionStrings__Default SQLCONNSTR_Main SENTRY_DSN SENTRY_AUTH_TOKEN SLACK_BOT_TOKEN SLACK_WEBHOOK_URL
DISCORD_TOKEN TELEGRAM_BOT_TOKEN TWILIO_AUTH_TOKEN SENDGRID_API_KEY MAILGUN_API_KEY STRIPE_SECRET_KEY STRIPE_WEBHOOK_SECRET
DATADOG_API_KEY DD_API_KEY DD_APP_KEY NEW_RELIC_LICENSE_KEY HONEYCOMB_API_KEY SNYK_TOKEN SONAR_TOKEN CODECOV_TOKEN
VAULT_TOKEN CONSUL_HTTP_TOKEN NOMAD_TOKEN TF_TOKEN_app_terraform_io TF_VAR_db_password PULUMI_ACCESS_TOKEN PULUMI_CONFIG_PASSPHRASE
KUBE_TOKEN ANSIBLE_VAULT_PASSWORD_FILE SOPS_AGE_KEY SOPS_AGE_KEY_FILE SSH_PRIVATE_KEY SSHPASS GPG_PASSPHRASE SIGNING_KEY
ANDROID_KEYSTORE_PASSWORD MATCH_PASSWORD FASTLANE_SESSION SECRET_KEY_BASE RAILS_MASTER_KEY DJANGO_SECRET_KEY FLASK_SECRET_KEY APP_KEY
JWT_SECRET SESSION_SECRET ENCRYPTION_KEY ERLANG_COOKIE RELEASE_COOKIE BW_SESSION OP_SESSION_my OP_SERVICE_ACCOUNT_TOKEN TS_AUTHKEY
RESTIC_PASSWORD BORG_PASSPHRASE TOKEN SECRET PASSWORD API_KEY apiKey githubToken MY_TOKEN_2 TOKEN2 PASSWORT_DB HTTP_BASIC_AUTH OTEL_EXPORTER_OTLP_HEADERS
`;

const HARMLESS: readonly (readonly [string, string])[] = [
  ['PATH', '/home/ada/token:/opt/secret:/usr/bin'],
  ['MANPATH', '/opt/token:/opt/secret:'],
  ['HOME', '/home/ada'],
  ['PWD', '/home/ada/work'],
  ['OLDPWD', '/home/ada'],
  ['LANG', 'en_US.UTF-8'],
  ['LC_ALL', 'C.UTF-8'],
  ['LS_COLORS', '*.tar=01;31:*.sig=00;90:*.key=01'],
  ['HTTP_PROXY', 'http://proxy.example:3128'],
  ['https_proxy', 'http://10.0.0.1:3128/'],
  ['no_proxy', 'localhost,127.0.0.1,.example'],
  ['JAVA_HOME', '/usr/lib/jvm/java-21'],
  ['MAVEN_OPTS', '-Xmx2g -XX:+UseZGC'],
  ['VIRTUAL_ENV', '/work/.venv'],
  ['CONDA_PREFIX', '/opt/conda'],
  ['NVM_DIR', '/home/ada/.nvm'],
  ['PYENV_ROOT', '/home/ada/.pyenv'],
  ['GOPATH', '/home/ada/go'],
  ['GOPRIVATE', 'example.com/*'],
  ['GOPROXY', 'https://proxy.golang.org,direct'],
  ['CARGO_HOME', '/home/ada/.cargo'],
  ['NODE_ENV', 'test'],
  ['npm_config_registry', 'https://registry.example.com/'],
  ['PIP_INDEX_URL', 'https://index.example.com/simple'],
  ['SSL_CERT_FILE', '/etc/ssl/certs/ca-certificates.crt'],
  ['NODE_EXTRA_CA_CERTS', '/etc/ssl/ours.pem'],
  ['AWS_CA_BUNDLE', '/etc/ssl/ours.pem'],
  ['SSH_AUTH_SOCK', '/run/user/1000/keyring/ssh'],
  ['SSH_CONNECTION', '10.0.0.2 50000 10.0.0.1 22'],
  ['DBUS_SESSION_BUS_ADDRESS', 'unix:path=/run/user/1000/bus,guid=0123456789abcdef0123456789abcdef'],
  ['XDG_SESSION_TYPE', 'wayland'],
  ['DESKTOP_SESSION', 'gnome'],
  ['DATABASE_URL', 'postgres://localhost:5432/test'],
  ['DATABASE_URL', 'postgres://ada@localhost/test'],
  ['REDIS_URL', 'redis://127.0.0.1:6379/0'],
  ['GIT_REMOTE', 'ssh://git@github.com/a/b.git'],
  ['REMOTE', 'git@github.com:a/b.git'],
  ['MAX_TOKENS', '4096'],
  ['MAX_THINKING_TOKENS', '31999'],
  ['TOKENIZERS_PARALLELISM', 'x'],
  ['REQUIRE_AUTH', 'true'],
  ['NO_AUTH', '1'],
  ['EMPTY_TOKEN', ''],
  ['MONKEY', 'george'],
  ['BYPASS', 'no-cache'],
  ['KEYBOARD_LAYOUT', 'de'],
  ['KEYTIMEOUT', '20'],
  ['AUTHOR', 'Ada'],
  ['PATTERN', 'a.*b'],
  ['COLORTERM', 'truecolor'],
  ['EDITOR', 'vim'],
  ['BUNDLE_PATH', 'vendor/bundle'],
];

/** Values that are secret under an ordinary name. Assembled, so that no scanner takes them for real. */
const SECRET_VALUES = [
  'postgres://ada:hunter2@db/app',
  'postgres://ada:p#ss/w:rd@db/app',
  'redis://:hunter2@cache:6379',
  'mongodb+srv://ada:hunter2@cluster.example/app?retryWrites=true',
  'http://ada:hunter2@proxy.example:3128',
  'https://hunter2hunter2@pypi.example/simple',
  'https://a.example,https://ada:hunter2@b.example',
  'amqps://ada:hunter2@mq/vhost',
  'ada:hunter2@tcp(db:3306)/app',
  'jdbc:postgresql://db/app?user=ada&password=hunter2',
  'Server=db;Database=app;User Id=ada;Password=hunter2;',
  'host=db user=ada password=hunter2',
  'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=aHVudGVyMg==;EndpointSuffix=core.windows.net',
  'Endpoint=sb://a.example/;SharedAccessKeyName=Root;SharedAccessKey=aHVudGVyMg==',
  'https://a.blob.example/c?sv=2024&sig=aHVudGVyMg',
  '-Djavax.net.ssl.trustStorePassword=hunter2',
  'Authorization: Bearer hunter2hunter2',
  '{"apiKey":"hunter2","projectId":"a"}',
  `-----BEGIN ${'OPENSSH PRIVATE KEY'}-----\nb3BlbnNzaC1rZXk=`,
  `-----BEGIN ${'PGP PRIVATE KEY BLOCK'}-----`,
  Buffer.from(`-----BEGIN ${'PRIVATE KEY'}-----\nabc`).toString('base64'),
  `gh${'p'}_${'a1B2'.repeat(9)}`,
  `github${'_pat'}_${'a1B2'.repeat(20)}`,
  `gl${'pat'}-${'a1B2'.repeat(5)}`,
  `AK${'IA'}ABCDEFGHIJKLMNOP`,
  `AI${'za'}${'a1B2'.repeat(9)}`,
  `sk${'-ant'}-api03-${'a1B2'.repeat(9)}`,
  `sk${'-proj'}-${'a1B2'.repeat(9)}`,
  `sk${'_live'}_${'a1B2'.repeat(9)}`,
  `xox${'b'}-123456789012-abcdefghijkl`,
  `npm${'_'}${'a1B2'.repeat(9)}`,
  `pypi${'-'}${'a1B2'.repeat(9)}`,
  `hf${'_'}${'aBcD'.repeat(9)}`,
  `eyJ${'hbGciOiJIUzI1NiJ9'}.eyJ${'zdWIiOiIxIn0xyz'}.c2ln`,
  `https://hooks.slack${'.com'}/services/T0/B0/abc`,
];

describe('secret variables', () => {
  it('are known by the names that tools and services use', () => {
    const missed = SECRET_NAMES.trim()
      .split(/\s+/)
      .filter((name) => !isSecretVariable(name, 'hunter2'));
    assert.deepEqual(missed, []);
  });

  it('are known by their values', () => {
    assert.deepEqual(
      SECRET_VALUES.filter((value) => !isSecretVariable('PLAIN', value)),
      [],
    );
  });

  it('are known by these words anywhere in a name, in any case and style', () => {
    const word = fc.constantFrom(
      'token',
      'secret',
      'password',
      'passwd',
      'passphrase',
      'credentials',
      'api_key',
      'pat',
    );
    const other = fc.constantFrom('my', 'app', 'ci', 'db', 'x1', 'prod');
    const style = fc.constantFrom(
      (words: readonly string[]) => words.join('_').toUpperCase(),
      (words: readonly string[]) => words.join('_'),
      (words: readonly string[]) => words.join('__').toUpperCase(),
      (words: readonly string[]) => words.map((part) => part[0]!.toUpperCase() + part.slice(1)).join(''),
      (words: readonly string[]) => words.join('.'),
    );
    fc.assert(
      fc.property(
        fc.array(other, { maxLength: 3 }),
        word,
        fc.array(other, { maxLength: 2 }),
        style,
        (a, b, c, join) => {
          assert.ok(isSecretVariable(join([...a, b, ...c]), 'hunter2'));
        },
      ),
    );
  });

  it('are not the variables that programs need', () => {
    assert.deepEqual(
      HARMLESS.filter(([name, value]) => isSecretVariable(name, value)),
      [],
    );
  });

  it('are judged in linear time', () => {
    for (const piece of ['://a:', 'https://', 'eyJ', '-eyJ-', 'SG.a', 'token ', 'key-', 'a1', '&', '-----BEGIN A']) {
      assert.equal(typeof isSecretVariable('PLAIN', piece.repeat(20_000)), 'boolean');
    }
  });
});

describe('the environment of commands', () => {
  const base = {
    PATH: '/bin',
    NPM_TOKEN: 't',
    AWS_PROFILE: 'p',
    AWS_SECRET_ACCESS_KEY: 's',
    DATABASE_URL: 'pg://a:b@c/d',
  };

  it('has no secrets, except those that are passed on by name or pattern', () => {
    const kept = (...passed: string[]): readonly string[] =>
      Object.keys(commandEnvironment(base, passed)).filter((name) => name in base);
    assert.deepEqual(kept(), ['PATH']);
    assert.deepEqual(kept('NPM_TOKEN'), ['PATH', 'NPM_TOKEN']);
    assert.deepEqual(kept('AWS_*', 'DATABASE_URL'), ['PATH', 'AWS_PROFILE', 'AWS_SECRET_ACCESS_KEY', 'DATABASE_URL']);
    assert.deepEqual(kept('NPM', 'TOKEN', 'AWS_', '.*', 'NPM.TOKEN', ''), ['PATH']);
    assert.deepEqual(withheldVariables(base, ['*KEY', 'D*']), ['NPM_TOKEN', 'AWS_PROFILE']);
  });

  it('never has our own key, or what runs code, whatever is passed on', () => {
    const environment = commandEnvironment({ OPEN_AGENT_API_KEY: 'k', OPEN_AGENT_TOKEN: 't', BASH_ENV: '/evil' }, [
      '*',
    ]);
    for (const name of ['OPEN_AGENT_API_KEY', 'OPEN_AGENT_TOKEN', 'BASH_ENV'])
      assert.equal(environment[name], undefined);
  });
});
