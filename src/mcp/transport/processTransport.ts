import type { ChildProcess } from 'node:child_process';
import type { ReadBuffer } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import spawn from 'cross-spawn';
import type { McpSdk } from './loadSdk';
import type { ProcessServer } from '../serverConfig';
import { asError } from '../../util/errors';

/** Ends a process group with all its processes. */
export type EndTree = (child: ChildProcess) => Promise<unknown>;

interface ProcessTransportParts {
  readonly sdk: McpSdk;
  readonly config: ProcessServer;
  /** The working folder when the configuration names none. */
  readonly homeDirectory: string;
  readonly endTree: EndTree;
  /** Gets the server's log output. */
  readonly onLog: (text: string) => void;
}

/**
 * The transport to a server process. Unlike the library's, it starts the server in a process group of its own. Servers often
 * start through `npx` or a script, and all of these processes must end together.
 */
export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #parts: ProcessTransportParts;
  readonly #received: ReadBuffer;
  #child: ChildProcess | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: ProcessTransportParts) {
    this.#parts = parts;
    this.#received = new parts.sdk.ReadBuffer();
  }

  start(): Promise<void> {
    const { sdk, config, homeDirectory, onLog } = this.#parts;
    const child = spawn(config.command, [...config.args], {
      env: { ...sdk.getDefaultEnvironment(), ...config.env },
      cwd: config.cwd ?? homeDirectory,
      stdio: 'pipe',
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#child = child;
    child.stdin?.on('error', (error) => this.onerror?.(error));
    child.stdout?.on('error', (error) => this.onerror?.(error));
    child.stdout?.on('data', (bytes: Buffer) => this.#receive(bytes));
    child.stderr?.setEncoding('utf8').on('data', onLog);
    child.once('close', () => void this.close());
    return new Promise((resolve, reject) => {
      child.once('spawn', () => resolve());
      child.once('error', (error) => {
        reject(error);
        void this.close();
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) return Promise.reject(new Error('The server has ended.'));
    return new Promise((resolve, reject) => {
      stdin.write(this.#parts.sdk.serializeMessage(message), (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Resolves when no process of the server runs. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    const child = this.#child;
    try {
      child?.stdin?.end();
      if (child) await this.#parts.endTree(child);
    } catch (error) {
      this.onerror?.(asError(error));
    } finally {
      child?.stdout?.destroy();
      child?.stderr?.destroy();
      this.#received.clear();
      this.onclose?.();
    }
  }

  #receive(bytes: Buffer): void {
    try {
      // Throws when a message is too large.
      this.#received.append(bytes);
    } catch (error) {
      this.onerror?.(asError(error));
      void this.close();
      return;
    }
    for (;;) {
      try {
        const message = this.#received.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (error) {
        // The line is no message, for example a greeting. The next one may be.
        this.onerror?.(asError(error));
      }
    }
  }
}
