import * as l10n from '../../util/l10n';
import type { PanelState } from '../../protocol/toWebview';
import { assertNever } from '../../util/assertNever';
import { useStore } from '../state/usePanel';
import { Icon } from '../controls/Icon';
import { VisibleText } from '../controls/VisibleText';
import { Button } from '../controls/Button';

const startCommands: readonly { readonly server: string; readonly command: string }[] = [
  { server: 'llama.cpp', command: 'llama-server -hf ggml-org/Qwen3-8B-GGUF --jinja' },
  { server: 'Ollama', command: 'ollama run qwen3:8b' },
  { server: 'LM Studio', command: 'lms server start' },
];

/** Explains why no model is connected and offers a way out. Renders nothing when one is connected. */
export function ConnectionHelp({ panel }: { readonly panel: PanelState }) {
  const { connection } = panel;
  switch (connection.kind) {
    case 'unknown':
      return null;
    case 'searching':
      return <Progress text={l10n.t('Looking for a model server on this machine')} />;
    case 'connecting':
      return <Progress text={l10n.t('Connecting to {0}', connection.baseUrl)} />;
    case 'not_found':
      return <NotFound {...connection} />;
    case 'no_models':
      return <NoModels baseUrl={connection.baseUrl} />;
    case 'failed':
      if (connection.isResting) return <Resting message={connection.message} />;
      if (connection.isLoading) return <Progress text={loadingText(connection.baseUrl)} />;
      return <Failed message={connection.message} isUnauthorized={connection.isUnauthorized} />;
    case 'connected':
      return panel.selectedModel === undefined ? <NoSelection /> : null;
    default:
      return assertNever(connection);
  }
}

function loadingText(baseUrl: string): string {
  if (baseUrl === '') return l10n.t('The model on this machine is starting');
  return l10n.t('The server at {0} is loading its model', baseUrl);
}

function Progress({ text }: { readonly text: string }) {
  return (
    <p class="help-progress" role="status">
      <Icon name="loading" isSpinning /> <span>{text}</span>
    </p>
  );
}

function NotFound({ triedPorts, isRemote = false }: PanelState['connection'] & { readonly kind: 'not_found' }) {
  const store = useStore();
  return (
    <div class="help">
      <p class="help-title">
        <Icon name="debug-disconnect" /> <span>{l10n.t('No model server found')}</span>
      </p>
      <p class="muted" title={triedPorts.length === 0 ? undefined : l10n.t('Ports: {0}', triedPorts.join(', '))}>
        {triedPorts.length === 0
          ? l10n.t('Nothing answered on this machine.')
          : l10n.t('Nothing answered on the usual ports of this machine.')}{' '}
        {isRemote && `${l10n.t('This machine is the remote.')} `}
        {l10n.t('Set up a model on this machine, or start a server:')}
      </p>
      <div class="button-row">
        <Button
          label={l10n.t('Set Up a Model on This Machine…')}
          onClick={() => store.post({ type: 'runCommand', command: 'setUpModel' })}
        />
        {isRemote && (
          <Button
            label={l10n.t('Use a Model Server on Your Laptop…')}
            kind="secondary"
            onClick={() => store.post({ type: 'runCommand', command: 'useLaptop' })}
          />
        )}
      </div>
      <dl class="start-commands">
        {startCommands.map(({ server, command }) => (
          <div key={server}>
            <dt>{server}</dt>
            <dd>
              <code>{command}</code>
            </dd>
          </div>
        ))}
      </dl>
      <Buttons
        first="refresh"
        firstLabel={l10n.t('Look Again')}
        firstKind="secondary"
        second="setAddress"
        secondLabel={l10n.t('Enter Address…')}
      />
    </div>
  );
}

function NoModels({ baseUrl }: { readonly baseUrl: string }) {
  return (
    <div class="help">
      <p class="help-title">
        <Icon name="warning" /> <span>{l10n.t('The server has no model')}</span>
      </p>
      <p class="muted">{l10n.t('{0} answers but lists no model. Load one there, then look again.', baseUrl)}</p>
      <Buttons
        first="refresh"
        firstLabel={l10n.t('Look Again')}
        second="setAddress"
        secondLabel={l10n.t('Enter Address…')}
        hasCheck
      />
    </div>
  );
}

function NoSelection() {
  return (
    <div class="help">
      <p class="help-title">
        <Icon name="info" /> <span>{l10n.t('No model is chosen')}</span>
      </p>
      <p class="muted">{l10n.t("Choose one of the server's models below the message field.")}</p>
    </div>
  );
}

/** No failure: the person, or a time without use, has stopped it. */
function Resting({ message }: { readonly message: string }) {
  const store = useStore();
  return (
    <div class="help">
      <p class="help-title">
        <Icon name="info" /> <span>{l10n.t('The model does not run')}</span>
      </p>
      <p class="help-message">
        <VisibleText text={message} kind="code" />
      </p>
      <div class="button-row">
        <Button label={l10n.t('Start the Model')} onClick={() => store.post({ type: 'refreshServer' })} />
      </div>
    </div>
  );
}

function Failed({ message, isUnauthorized }: { readonly message: string; readonly isUnauthorized: boolean }) {
  return (
    <div class="help">
      <p class="help-title">
        <Icon name="error" />{' '}
        <span>{isUnauthorized ? l10n.t('The server needs an API key') : l10n.t('The server cannot be used')}</span>
      </p>
      <p class="help-message">
        <VisibleText text={message} kind="code" />
      </p>
      {isUnauthorized ? (
        <Buttons
          first="setApiKey"
          firstLabel={l10n.t('Set API Key…')}
          second="refresh"
          secondLabel={l10n.t('Retry')}
          hasCheck
        />
      ) : (
        <Buttons
          first="refresh"
          firstLabel={l10n.t('Retry')}
          second="setAddress"
          secondLabel={l10n.t('Enter Address…')}
          hasCheck
        />
      )}
    </div>
  );
}

type Action = 'refresh' | 'setAddress' | 'setApiKey';

interface ButtonsProperties {
  readonly first: Action;
  readonly firstLabel: string;
  readonly second: Action;
  readonly secondLabel: string;
  /** Default: the one button of its place that stands out. */
  readonly firstKind?: 'secondary' | undefined;
  /** There is a server to check. */
  readonly hasCheck?: boolean | undefined;
}

function Buttons({ first, firstLabel, second, secondLabel, firstKind, hasCheck = false }: ButtonsProperties) {
  const store = useStore();
  const start = (action: Action): void =>
    store.post(action === 'refresh' ? { type: 'refreshServer' } : { type: 'runCommand', command: action });
  return (
    <div class="button-row">
      <Button label={firstLabel} kind={firstKind} onClick={() => start(first)} />
      <Button label={secondLabel} kind="secondary" onClick={() => start(second)} />
      {hasCheck && (
        <Button label={l10n.t('Check Server')} kind="secondary" onClick={() => store.post({ type: 'startDoctor' })} />
      )}
    </div>
  );
}
