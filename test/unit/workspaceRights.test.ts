import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../scripts/projectRoot';
import { ownLimit } from '../../src/agent/configuration/ownLimit';
import { declaredSettings } from '../support/declaredSettings';

/** The names of our settings in the first column of the table of SECURITY.md. */
function settingsOfTable(): readonly string[] {
  const text = readFileSync(path.join(projectRoot, 'SECURITY.md'), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| `openAgent.'));
  return rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`(openAgent\.[\w.]+)`/g)].map(([, name = '']) => name),
  );
}

describe('what a workspace can set', () => {
  it('is in the table of SECURITY.md, and all else belongs to the person', () => {
    const ofWorkspace = Object.entries(declaredSettings).flatMap(([name, { scope }]) =>
      scope === 'application' ? [] : [name],
    );
    assert.deepEqual(settingsOfTable().toSorted(), ofWorkspace.toSorted());
  });

  it('lowers the limits of the person, and neither raises nor removes them', () => {
    assert.deepEqual(
      [
        { own: 10, effective: 1000 },
        { own: 10, effective: 5 },
        { own: 10, effective: null },
        { own: 10, effective: undefined },
        { own: 10, effective: '1000' },
        { own: undefined, effective: 1000 },
        { own: null, effective: 1000 },
        { own: null, effective: null },
      ].map(ownLimit),
      [10, 5, 10, 10, 10, 1000, 1000, null],
    );
  });
});
