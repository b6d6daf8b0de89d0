// The page: its styles and the panel. A build's entry of its own, so that the files of parts that load later bring no styles.
import '@vscode/codicons/dist/codicon.css';
import './base.css';
import './controls/controls.css';
import './layout.css';
import './composer/composer.css';
import './composer/context/chips.css';
import './images/images.css';
import './server/server.css';
import './sessions/sessions.css';
import './conversation/conversation.css';
import './conversation/running.css';
import './conversation/tools.css';
import './approval/approval.css';
import './markdown/markdown.css';
import './server/doctor.css';
import './main';
