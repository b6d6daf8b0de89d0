/**
 * A text field in which both a person and this program write. VS Code tells an extension of each value that the extension
 * itself wrote, too, and does so later: until then, the field seems to have an older value again. So a person who deletes
 * back to exactly such a value is not noticed.
 */
export class SharedField {
  readonly #field: { value: string };
  /** What was written since the last value that VS Code told of, oldest first. The last one is what was written last. */
  #written: readonly string[];

  constructor(field: { value: string }) {
    this.#field = field;
    this.#written = [field.value];
  }

  /** Whether the field has something that was not written here. */
  isTyping(): boolean {
    const told = this.#written.indexOf(this.#field.value);
    if (told === -1) return true;
    // What was told of once does not come again. The value that was written last may: it is in the field at once.
    if (told < this.#written.length - 1) this.#written = this.#written.slice(told);
    return false;
  }

  show(value: string): void {
    this.#field.value = value;
    this.#written = [...this.#written, value];
  }
}
