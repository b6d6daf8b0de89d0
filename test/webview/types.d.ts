/// <reference types="node" />
/// <reference types="mocha" />
