import assert from 'node:assert/strict';
import { SharedField } from '../../../../src/host/sourceControl/sharedField';
import { seededRandom } from '../../../support/seededRandom';

/** A field of VS Code: what is written is there at once, and VS Code tells of it later, one value after the other. */
class LateField {
  #value = 'begun';
  readonly #untold: string[] = [];

  get value(): string {
    return this.#value;
  }

  set value(value: string) {
    this.#value = value;
    this.#untold.push(value);
  }

  tell(): void {
    this.#value = this.#untold.shift() ?? this.#value;
  }

  /** What the person types comes after all that was written before. */
  type(value: string): void {
    while (this.#untold.length > 0) this.tell();
    this.#value = value;
  }
}

describe('SharedField', () => {
  it('does not take its own values for typing when VS Code tells of them late', () => {
    for (let seed = 0; seed < 300; seed += 1) {
      const random = seededRandom(seed);
      const late = new LateField();
      const field = new SharedField(late);
      for (let step = 0; step < 60; step += 1) {
        if (random() < 0.5) field.show(`feat: ${'word '.repeat(step)}`);
        else late.tell();
        if (random() < 0.7) assert.equal(field.isTyping(), false, `seed ${seed}, step ${step}`);
      }
    }
  });

  it('sees what a person types, and that they delete it', () => {
    const late = new LateField();
    const field = new SharedField(late);
    field.show('feat');
    field.show('feat: a');
    late.type('feat: my');
    assert.equal(field.isTyping(), true);
    late.type('');
    assert.equal(field.isTyping(), true);
  });

  it('sees that a person deletes letters, once VS Code has told of what was written', () => {
    const late = new LateField();
    const field = new SharedField(late);
    field.show('feat');
    field.show('feat: a');
    late.tell();
    assert.equal(field.isTyping(), false);
    late.tell();
    assert.equal(field.isTyping(), false);
    late.type('begun');
    assert.equal(field.isTyping(), true);
  });
});
