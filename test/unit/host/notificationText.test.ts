import assert from 'node:assert/strict';
import { notificationText } from '../../../src/host/notificationText';

/** The link syntax of VS Code's notifications. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

describe('the text of a notification', () => {
  it('has no links', () => {
    for (const text of [
      'Deleted "[Undo](command:workbench.action.quit)".',
      '[a](https://evil.example/?d=S "title")',
      '[a]\u200B(command:x)',
      '[[a]](command:x)[b](file:///etc/passwd)',
    ]) {
      assert.doesNotMatch(notificationText(text), link);
    }
    assert.equal(notificationText('See [x](command:y)'), 'See [x] (command:y)');
  });

  it('shows hidden characters by name, and is cut', () => {
    assert.equal(notificationText('a\u202Eb'), 'a<U+202E>b');
    assert.equal(notificationText('x'.repeat(10_000)).length, 2_001);
  });
});
