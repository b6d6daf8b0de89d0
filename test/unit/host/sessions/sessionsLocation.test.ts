import assert from 'node:assert/strict';
import path from 'node:path';
import { sessionsDirectory } from '../../../../src/host/sessions/sessionsLocation';

describe('sessionsDirectory', () => {
  const nameOf = (uri: string, name: string): string | undefined =>
    path.relative('/storage/workspaces', sessionsDirectory('/storage', { uri, name })).split(path.sep)[0];

  it('has a folder for each workspace, named after it', () => {
    assert.match(nameOf('file:///home/ada/app', 'app') ?? '', /^app-[0-9a-f]{12}$/);
    assert.notEqual(nameOf('file:///home/ada/app', 'app'), nameOf('file:///home/bob/app', 'app'));
    assert.equal(nameOf('file:///home/ada/app', 'app'), nameOf('file:///home/ada/app', 'app'));
    assert.equal(path.basename(sessionsDirectory('/storage', { uri: 'file:///a', name: 'a' })), 'sessions');
  });

  it('makes a safe folder name of any name', () => {
    assert.match(nameOf('x', '../../etc') ?? '', /^etc-[0-9a-f]{12}$/);
    assert.match(nameOf('x', 'a/b c:*?') ?? '', /^a-b-c-[0-9a-f]{12}$/);
    assert.match(nameOf('x', 'Größe') ?? '', /^Größe-[0-9a-f]{12}$/);
    assert.match(nameOf('x', '...') ?? '', /^workspace-[0-9a-f]{12}$/);
  });

  it('has one folder for windows without a workspace', () => {
    assert.equal(
      sessionsDirectory('/storage', undefined),
      path.join('/storage', 'workspaces', 'no-folder', 'sessions'),
    );
  });
});
