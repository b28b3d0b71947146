// SPDX-License-Identifier: Apache-2.0
/** The port that proxies connect to, and what can be asked there about them. */
@NullMarked
package dev.holdfast.server.xds;

import org.jspecify.annotations.NullMarked;
