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
      return <Progress text="Looking for a model server on this machine" />;
    case 'connecting':
      return <Progress text={`Connecting to ${connection.baseUrl}`} />;
    case 'not_found':
      return <NotFound {...connection} />;
    case 'no_models':
      return <NoModels baseUrl={connection.baseUrl} />;
    case 'failed':
      return connection.isLoading ? (
        <Progress text={`The server at ${connection.baseUrl} is loading its model`} />
      ) : (
        <Failed message={connection.message} isUnauthorized={connection.isUnauthorized} />
      );
    case 'connected':
      return panel.selectedModel === undefined ? <NoSelection /> : null;
    default:
      return assertNever(connection);
  }
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
        <Icon name="debug-disconnect" /> <span>No model server found</span>
      </p>
      <p class="muted" title={triedPorts.length === 0 ? undefined : `Ports: ${triedPorts.join(', ')}`}>
        {triedPorts.length === 0
          ? 'Nothing answered on this machine.'
          : 'Nothing answered on the usual ports of this machine.'}{' '}
        {isRemote && 'This machine is the remote. '}Set up a model on this machine, or start a server:
      </p>
      <div class="button-row">
        <Button
          label="Set Up a Model on This Machine…"
          onClick={() => store.post({ type: 'runCommand', command: 'setUpModel' })}
        />
        {isRemote && (
          <Button
            label="Use a Model Server on Your Laptop…"
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
        firstLabel="Look Again"
        firstKind="secondary"
        second="setAddress"
        secondLabel="Enter Address…"
      />
    </div>
  );
}

function NoModels({ baseUrl }: { readonly baseUrl: string }) {
  return (
    <div class="help">
      <p class="help-title">
        <Icon name="warning" /> <span>The server has no model</span>
      </p>
      <p class="muted">{baseUrl} answers but lists no model. Load one there, then look again.</p>
      <Buttons first="refresh" firstLabel="Look Again" second="setAddress" secondLabel="Enter Address…" hasCheck />
    </div>
  );
}

function NoSelection() {
  return (
    <div class="help">
      <p class="help-title">
        <Icon name="info" /> <span>No model is chosen</span>
      </p>
      <p class="muted">Choose one of the server's models below the message field.</p>
    </div>
  );
}

function Failed({ message, isUnauthorized }: { readonly message: string; readonly isUnauthorized: boolean }) {
  return (
    <div class="help">
      <p class="help-title">
        <Icon name="error" />{' '}
        <span>{isUnauthorized ? 'The server needs an API key' : 'The server cannot be used'}</span>
      </p>
      <p class="help-message">
        <VisibleText text={message} kind="code" />
      </p>
      {isUnauthorized ? (
        <Buttons first="setApiKey" firstLabel="Set API Key…" second="refresh" secondLabel="Retry" hasCheck />
      ) : (
        <Buttons first="refresh" firstLabel="Retry" second="setAddress" secondLabel="Enter Address…" hasCheck />
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
      {hasCheck && <Button label="Check Server" kind="secondary" onClick={() => store.post({ type: 'startDoctor' })} />}
    </div>
  );
}
