// SPDX-License-Identifier: Apache-2.0
/** Commands about the state file of a server. */
@NullMarked
package dev.holdfast.cli.state;

import org.jspecify.annotations.NullMarked;
