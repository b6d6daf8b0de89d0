import assert from 'node:assert/strict';
import { OutputLog } from '../../../src/host/outputLog';

describe('OutputLog', () => {
  let lines: string[];
  let areContentsLogged: boolean;
  let created: number;
  let log: OutputLog;

  beforeEach(() => {
    lines = [];
    areContentsLogged = false;
    created = 0;
    const write =
      (level: string) =>
      (message: string | Error): void =>
        void lines.push(`${level} ${message instanceof Error ? message.message : message}`);
    log = new OutputLog({
      create: () => {
        created += 1;
        return { info: write('info'), warn: write('warn'), error: write('error'), show: () => {}, dispose: () => {} };
      },
      areContentsLogged: () => areContentsLogged,
    });
  });

  const url = 'http://localhost:8080/v1/chat/completions';
  const request = { url, model: 'm', messageCount: 3, toolCount: 6, body: () => '{"messages":["SECRET"]}' };

  it('creates its channel with the first line', () => {
    assert.equal(created, 0);
    log.info('one');
    log.info('two');
    assert.equal(created, 1);
  });

  it('logs address, model, counts, status and duration, and no contents', () => {
    log.request(request);
    const usage = { promptTokens: 10, completionTokens: 2, cachedTokens: 8 };
    log.response({ url, ms: 12, status: 200, stopReason: 'stop', usage, content: () => 'SECRET' });
    assert.deepEqual(lines, [
      `info -> POST ${url} model=m messages=3 tools=6`,
      `info <- 200 ${url} 12 ms stop=stop promptTokens=10 completionTokens=2 cachedTokens=8`,
    ]);
  });

  it('warns of failures, but not of a stopped answer', () => {
    log.response({ url, ms: 5, error: { code: 'connection', message: 'Nothing answers.' }, content: () => '' });
    log.response({ url, ms: 6, error: { code: 'interrupted', message: 'Stopped.' }, content: () => '' });
    assert.deepEqual(lines, [
      `warn <- no answer ${url} 5 ms connection: Nothing answers.`,
      `info <- no answer ${url} 6 ms interrupted: Stopped.`,
    ]);
  });

  it('logs contents while the setting is on', () => {
    areContentsLogged = true;
    log.request(request);
    log.response({ url, ms: 12, status: 200, content: () => '[{"type":"text"}]' });
    assert.deepEqual(
      lines.filter((line) => /^\w+ (->|<-) [{[]/.test(line)),
      ['info -> {"messages":["SECRET"]}', 'info <- [{"type":"text"}]'],
    );
  });
});
