/** A model file on this machine. */
export interface FoundModelFile {
  /** Absolute. */
  readonly file: string;
  /** As its program names it, or its file name. */
  readonly name: string;
  readonly bytes: number;
  /** Which program's folder holds it. */
  readonly from: 'llama.cpp' | 'Hugging Face' | 'LM Studio' | 'Ollama' | 'Jan' | 'Open Agent';
}
