// SPDX-License-Identifier: Apache-2.0
/** The reports of the demo, while it runs and at its end. */
@NullMarked
package dev.holdfast.demo.report;

import org.jspecify.annotations.NullMarked;
