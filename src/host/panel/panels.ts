import type { ImagePart } from '../../sdk/messages';
import { DisposableStore, type Disposable } from '../../util/disposable';
import type { WorkspaceMemory } from '../workspace/memory';
import type { PanelController } from './panelController';
import type { PanelSurroundings } from './panelSurroundings';
import { tabMemory } from './page/tabMemory';

export interface PanelsParts {
  readonly memory: WorkspaceMemory;
  /** `owned`: what ends with the chat. */
  readonly create: (surroundings: PanelSurroundings, owned: DisposableStore) => PanelController;
  readonly revealSideBar: () => Promise<void>;
  readonly setWatched: (isWatched: boolean) => void;
  readonly showRunning: (isRunning: boolean) => void;
  readonly showFocused: (isFocused: boolean) => void;
}

interface Chat {
  readonly panel: PanelController;
  readonly owned: DisposableStore;
  isWatched: boolean;
  isRunning: boolean;
  isFocused: boolean;
}

/** The chats of the window: one in the side bar, others in tabs of its editors. Each has its own session, draft and images. */
export class Panels implements Disposable {
  readonly #parts: PanelsParts;
  readonly #sideBar: Chat;
  readonly #tabs = new Map<string, Chat>();
  /** The chat that the person used last. */
  #last: Chat;

  constructor(parts: PanelsParts) {
    this.#parts = parts;
    this.#sideBar = this.#create(parts.memory, parts.revealSideBar);
    this.#last = this.#sideBar;
  }

  get sideBar(): PanelController {
    return this.#sideBar.panel;
  }

  /** The chat that the person used last if it is on screen, else the one in the side bar. */
  get current(): PanelController {
    return this.#current().panel;
  }

  /** Whether a chat has this session, hidden or not. */
  isActive(sessionId: string): boolean {
    return this.#all().some(({ panel }) => panel.isActive(sessionId));
  }

  /** Whether the person sees this session. */
  isShown(sessionId: string): boolean {
    return this.#all().some(({ panel }) => panel.isShown(sessionId));
  }

  /** Whether the person sees a chat. */
  get isAnyShown(): boolean {
    return this.#all().some(({ panel }) => panel.isOpen);
  }

  /** Shows a session where it is, else in the chat that was used last, with the focus in its field. */
  async showSession(sessionId: string): Promise<void> {
    const current = this.#current();
    const chats = [current, ...this.#all()];
    const { panel } = chats.find((chat) => chat.panel.isActive(sessionId)) ?? current;
    await panel.showSession(sessionId);
    await panel.reveal();
    panel.focusComposer();
  }

  /** Has a page make an image smaller. It stays as it is where no chat is on screen. Never rejects. */
  async scaleImage(image: ImagePart): Promise<ImagePart> {
    const chat = [this.#current(), ...this.#all()].find(({ panel }) => panel.isOpen);
    const [scaled = image] = (await chat?.panel.scaleImages([image])) ?? [];
    return scaled;
  }

  /** Sends the state around the conversation. Called from outside when trust or folders change. */
  stateChanged(): void {
    for (const { panel } of this.#all()) panel.stateChanged();
  }

  /** The chat of a tab. `sessionId`: shows this session; absent: what the tab showed in the last window. */
  async openTab(id: string, reveal: () => Promise<void>, sessionId?: string): Promise<PanelController> {
    const known = this.#tabs.get(id);
    if (known) return known.panel;
    const chat = this.#create(tabMemory(this.#parts.memory, id), reveal);
    this.#tabs.set(id, chat);
    if (sessionId !== undefined) await chat.panel.showSession(sessionId);
    return chat.panel;
  }

  /** The tab is closed. Its session goes on, and its unsent text moves into the side bar. */
  async closeTab(id: string): Promise<void> {
    const chat = this.#tabs.get(id);
    if (!chat) return;
    this.#tabs.delete(id);
    if (this.#last === chat) this.#use(this.#sideBar);
    const { panel } = chat;
    const { draft } = panel;
    await panel.newSession();
    chat.owned.dispose();
    this.#tell();
    await tabMemory(this.#parts.memory, id).clear();
    if (draft.trim() !== '') await this.sideBar.addDraft(draft);
  }

  /** The person turned to this chat. */
  used(panel: PanelController): void {
    const chat = this.#all().find((one) => one.panel === panel);
    if (chat) this.#use(chat);
  }

  dispose(): void {
    for (const { owned } of this.#all()) owned.dispose();
    this.#tabs.clear();
  }

  #all(): readonly Chat[] {
    return [this.#sideBar, ...this.#tabs.values()];
  }

  #current(): Chat {
    return this.#last.panel.isOpen ? this.#last : this.#sideBar;
  }

  #create(memory: WorkspaceMemory, reveal: () => Promise<void>): Chat {
    const tell = (change: (chat: Chat) => void): void => {
      change(chat);
      this.#tell();
    };
    // The controller restores its session later, never in its constructor.
    const owned = new DisposableStore();
    const panel = owned.add(
      this.#parts.create(
        {
          memory,
          reveal,
          setWatched: (isWatched) => tell((one) => (one.isWatched = isWatched)),
          showRunning: (isRunning) => tell((one) => (one.isRunning = isRunning)),
          showFocused: (isFocused) => {
            if (isFocused) this.#last = chat;
            tell((one) => (one.isFocused = isFocused));
          },
          isElsewhere: (sessionId) => this.#all().some((one) => one !== chat && one.panel.isActive(sessionId)),
          sessionClosed: async (sessionId) => {
            const others = this.#all().filter((one) => one !== chat && one.panel.isActive(sessionId));
            await Promise.all(others.map((other) => other.panel.openAgain(sessionId)));
          },
        },
        owned,
      ),
    );
    const chat: Chat = { panel, owned, isWatched: false, isRunning: false, isFocused: false };
    return chat;
  }

  #use(chat: Chat): void {
    this.#last = chat;
    this.#tell();
  }

  /** Tells VS Code and the server about all chats together. */
  #tell(): void {
    const { setWatched, showRunning, showFocused } = this.#parts;
    const all = this.#all();
    setWatched(all.some(({ isWatched }) => isWatched));
    showRunning(this.#current().isRunning);
    showFocused(all.some(({ isFocused }) => isFocused));
  }
}
