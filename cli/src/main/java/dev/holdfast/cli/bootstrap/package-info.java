// SPDX-License-Identifier: Apache-2.0
/** What proxies and applications are started with. */
@NullMarked
package dev.holdfast.cli.bootstrap;

import org.jspecify.annotations.NullMarked;
