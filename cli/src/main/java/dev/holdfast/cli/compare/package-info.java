// SPDX-License-Identifier: Apache-2.0
/** What Holdfast would serve, beside what another xDS server serves. */
@NullMarked
package dev.holdfast.cli.compare;

import org.jspecify.annotations.NullMarked;
